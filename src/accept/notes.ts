/**
 * Compiles kinds for notes: violations from the bytes. A noting function is unsure, like accept, for input it cannot decide
 * cheaply: then examine decides.
 */
import { decidingMembers, detectedKinds } from '../schema/deciding.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Code, FunctionCode, ModuleCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { NOTE_TABLES } from '../wasm/layout.ts';
import { advance, betweenBrackets, expectColon, isNotAtP, proceed, UNSURE } from '../wasm/templates.ts';
import { Compiler } from './compile.ts';
import { inner, LOCALS, NO_GUARD, type NoteSite, PARAMS } from './context.ts';
import { areExact, guardOf } from './entry-schema.ts';
import { moduleParts } from './module.ts';
import { NOTE_GLOBALS, NOTE_IMPORTS, noteEntries } from './note-entries.ts';
import { Patterns } from './pattern-tables.ts';
import { FIRST_BYTE } from './scalars.ts';
import { pass, rawText, whenOneMatches } from './text.ts';

export interface NoteModule {
  readonly module: ModuleCode;
  readonly kinds: readonly string[];
  /** By number. */
  readonly sites: readonly NoteSite[];
  readonly tables: Uint8Array;
}

const p = asm.localGet('p');

/**
 * Compiles the kinds of `set` for notes: all of them, or only the one that is `forced`. Throws Unsupported.
 */
export function compileNotes(set: SchemaSet, forced: string | null): NoteModule {
  const compiler = new Compiler(set, {
    ...{ defaults: null, patterns: new Patterns(NOTE_TABLES) },
    notes: true,
  });
  const all = forced === null ? detectedKinds(set.kinds) : set.kinds;
  const kinds: string[] = [];
  const names: string[] = [];
  for (const [index, kind] of all.entries()) {
    if (forced !== null && kind.name !== forced) continue;
    kinds.push(kind.name);
    names.push(compiler.kindFunction(kind.schema, forced === null ? guardOf(all, index) : NO_GUARD));
  }
  const sites = compiler.notes!.all;
  const knowsAll = forced === null && areExact(all);
  const unknown = knowsAll ? unknownFunction(decidingMembers(all), sites.length) : null;
  const entries = noteEntries(names, unknown?.name ?? null);
  const functions = [...compiler.functions, ...(unknown === null ? [] : [unknown]), ...entries];
  return {
    module: { ...moduleParts(functions, [...NOTE_GLOBALS, ...compiler.globals]), imports: NOTE_IMPORTS },
    kinds,
    sites,
    tables: compiler.patterns.bytes,
  };
}

/** Members that decide the kind. */
const MOST_DECIDING = 8;

/**
 * A function for a payload of no kind: it notes the value of the first of `members` that the payload has. These
 * decide the kind. Null if it cannot be made.
 */
function unknownFunction(members: readonly string[], site: number): FunctionCode | null {
  const texts = members.map(rawText);
  if (members.length === 0 || members.length > MOST_DECIDING) return null;
  const known = texts.flatMap((bytes, i) => {
    if (bytes === null) return [];
    const action = [
      asm.if_(`start${i}`, UNSURE),
      pass(bytes),
      expectColon,
      asm.localSet(`start${i}`, p),
      proceed(asm.call('any', p, inner)),
      asm.localSet(`end${i}`, p),
      asm.br('member'),
    ];
    return [{ bytes, action }];
  });
  const unknown: Code = [
    proceed(asm.call('unknownName', p, 'base')),
    asm.if_(asm.globalGet('escaped'), UNSURE),
    expectColon,
    proceed(asm.call('any', p, inner)),
  ];
  const notes = members.map((_, i) =>
    asm.if_(`start${i}`, [
      asm.if_(asm.i32Eqz(asm.call('note', site, `start${i}`, `end${i}`, i, 0)), UNSURE),
      asm.return_(p),
    ]),
  );
  const places = members.flatMap((_, i) => [`start${i}`, `end${i}`]);
  const locals = [...LOCALS, ...asm.i32s('base', ...places)];
  const body: Code = [
    asm.if_(FIRST_BYTE.object!, [], UNSURE),
    asm.localSet('base', asm.globalGet('names')),
    betweenBrackets(0x7d, [
      asm.if_(isNotAtP(0x22), UNSURE),
      advance(1),
      asm.block('member', whenOneMatches(known), unknown),
    ]),
    advance(1),
    notes,
    UNSURE,
  ];
  return { name: 'noted unknown', params: PARAMS, result: 'i32', locals, body };
}
