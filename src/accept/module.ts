/**
 * The module around the kinds' functions: which kind a payload is tried as, and the run from payload to payload.
 */

import type { Kind, SchemaSet } from '../schema/load.ts';
import {
  add,
  and,
  block,
  branch,
  branchIf,
  type Code,
  call,
  eq,
  eqz,
  type FunctionCode,
  get,
  geU,
  giveBack,
  globalGet,
  globalSet,
  gtU,
  i32,
  load8,
  load32,
  loop,
  ltU,
  type ModuleCode,
  ne,
  or,
  set,
  shl,
  store32,
  sub,
  tee,
  when,
} from '../wasm/assembler.ts';
import { COUNTS, MANY_NOTES, MAX_KINDS, MODES, NAMES, NOTE_BYTES, NOTES } from '../wasm/layout.ts';
import { Compiler } from './compile.ts';
import { type DefaultTexts, type FillableObject, NO_GUARD } from './context.ts';
import { guardOf } from './entry-schema.ts';
import { GLOBALS, RUNTIME, skipSpace } from './runtime.ts';
import { Unsupported } from './unsupported.ts';

export interface AcceptModule {
  /** The code: `encode` makes it runnable, `print` readable. */
  readonly module: ModuleCode;
  /** The kinds that can be accepted, by their number in the counts. */
  readonly kinds: readonly string[];
  /** For the others, why not: kind name to reason. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly fillable: readonly FillableObject[];
  readonly exactPaths: boolean;
}

export interface AcceptOptions {
  /** Only this kind, and without its test; null for all that the door tells apart. */
  readonly forced: string | null;
  /** The defaults with which payloads are judged as if they were filled in; null: as they are. */
  readonly defaults: DefaultTexts | null;
}

/** Compiles what can be accepted of `set`. */
export function compileAccept(set: SchemaSet, { forced, defaults }: AcceptOptions): AcceptModule {
  const compiler = new Compiler(set, defaults);
  const entries: { kind: string; name: string }[] = [];
  const reasons = new Map<string, string>();
  for (const [index, kind] of set.kinds.entries()) {
    if (forced !== null && kind.name !== forced) continue;
    const functions = compiler.functions.length;
    try {
      if (entries.length === MAX_KINDS) throw new Unsupported('too many kinds');
      entries.push({ kind: kind.name, name: kindFunction(compiler, set.kinds, index, forced !== null) });
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      compiler.forget(functions);
      reasons.set(kind.name, error.message);
    }
  }
  const names = entries.map(({ name }) => name);
  return {
    module: moduleOf(compiler.functions, names),
    kinds: entries.map(({ kind }) => kind),
    reasons,
    fillable: compiler.fillable,
    exactPaths: compiler.exactPaths,
  };
}

/** The module of `functions`, of which those in `names` read a payload each, if it is of their kind. */
export function moduleOf(functions: readonly FunctionCode[], names: readonly string[]): ModuleCode {
  const all = [...RUNTIME, ...functions, payloadFunction(names), oneFunction, plainFunction, runFunction];
  return { globals: GLOBALS, functions: all };
}

function kindFunction(compiler: Compiler, kinds: readonly Kind[], index: number, forced: boolean): string {
  const guard = forced ? NO_GUARD : guardOf(kinds, index);
  return compiler.kindFunction(kinds[index]!.schema, guard);
}

const p = get('p');

/** Tries the kind that was right last time, then the others. Notes of those that are unsure are forgotten. */
function payloadFunction(names: readonly string[]): FunctionCode {
  const attempt = (name: string, kind: number): Code => [
    ...globalSet('names', i32(NAMES)),
    ...globalSet('nameAt', i32(0)),
    ...when(tee('end', call(name, p, i32(0))), [
      ...globalSet('lastKind', i32(kind)),
      ...giveBack(get('end')),
    ]),
    ...globalSet('notes', get('notes')),
  ];
  const isLast = (kind: number): Code => eq(globalGet('lastKind'), i32(kind));
  const body = [
    ...set('notes', globalGet('notes')),
    ...names.flatMap((name, kind) => when(isLast(kind), attempt(name, kind))),
    ...set('tried', globalGet('lastKind')),
    ...names.flatMap((name, kind) => when(ne(get('tried'), i32(kind)), attempt(name, kind))),
    ...i32(0),
  ];
  const locals = [
    ['end', 'i32'],
    ['tried', 'i32'],
    ['notes', 'i32'],
  ] as const;
  return { name: 'payload', params: [['p', 'i32']], result: 'i32', locals, body };
}

const countAddress: Code = shl(globalGet('lastKind'), i32(2));
/** One more payload of the kind that was right. */
const countPayload: Code = store32(countAddress, add(load32(countAddress, COUNTS), i32(1)), COUNTS);

/** Drops the notes of a payload that is valid, but not where it stands: it may be read again, or pass through as it is. */
const forgetNotes: Code = globalSet('notes', get('notes'));
const refuse: Code = [...forgetNotes, ...giveBack(p)];

/** 1 if the bytes in [p, end) are one valid payload and nothing else. */
const oneFunction: FunctionCode = {
  name: 'one',
  params: [
    ['p', 'i32'],
    ['end', 'i32'],
  ],
  result: 'i32',
  locals: [['notes', 'i32']],
  exported: true,
  body: [
    ...globalSet('lineFeedIsSpace', i32(1)),
    ...set('notes', globalGet('notes')),
    ...when(ne(call('payload', p), get('end')), [...forgetNotes, ...giveBack(i32(0))]),
    ...countPayload,
    ...i32(1),
  ],
};

/** 1 if the bytes in [p, end) are one JSON text that `scan` would find nothing to say about, of whatever kind. */
const plainFunction: FunctionCode = {
  name: 'plain',
  params: [
    ['p', 'i32'],
    ['end', 'i32'],
  ],
  result: 'i32',
  locals: [],
  exported: true,
  body: [
    ...globalSet('lineFeedIsSpace', i32(1)),
    ...globalSet('names', i32(NAMES)),
    ...eq(call('any', p, i32(0)), get('end')),
  ],
};

const isMode = (mode: keyof typeof MODES): Code => eq(get('mode'), i32(MODES[mode]));

/**
 * From payload to payload in [p, end), as long as they are valid: answers with the address at which it stopped. That is the first byte of
 * a payload it is not sure of, the `]` after an array's last element, or the end. `final`: the source has no more bytes.
 */
const runFunction: FunctionCode = {
  name: 'run',
  params: [
    ['p', 'i32'],
    ['end', 'i32'],
    ['mode', 'i32'],
    ['final', 'i32'],
  ],
  result: 'i32',
  locals: [
    ['after', 'i32'],
    ['c', 'i32'],
    ['notes', 'i32'],
  ],
  exported: true,
  body: [
    ...globalSet('lineFeedIsSpace', ne(get('mode'), i32(MODES.lines))),
    ...globalSet('lineFeeds', i32(0)),
    ...globalSet('behindElement', i32(0)),
    ...loop(
      'payloads',
      skipSpace,
      // Blank lines; in the other modes skipSpace has passed them.
      when(eq(load8(p), i32(0x0a)), [
        ...globalSet('lineFeeds', add(globalGet('lineFeeds'), i32(1))),
        ...set('p', add(p, i32(1))),
        ...when(ltU(p, get('end')), branch('payloads')),
      ]),
      when(geU(p, get('end')), giveBack(get('end'))),
      set('notes', globalGet('notes')),
      when(eqz(tee('after', call('payload', p))), giveBack(p)),
      when(gtU(sub(get('after'), p), globalGet('maxBytes')), refuse),
      set('c', load8(get('after'))),
      // White space after the payload; `space` wants it in p, so the payload's own address moves aside.
      when(ltU(get('c'), i32(0x21)), [
        ...set('after', call('space', get('after'))),
        ...set('c', load8(get('after'))),
      ]),
      block(
        'next',
        when(isMode('lines'), [
          ...when(eq(get('c'), i32(0x0a)), [
            ...globalSet('lineFeeds', add(globalGet('lineFeeds'), i32(1))),
            ...set('after', add(get('after'), i32(1))),
            ...branch('next'),
          ]),
          ...branchIf('next', and(geU(get('after'), get('end')), get('final'))),
          ...refuse,
        ]),
        when(isMode('array'), [
          ...when(ne(get('c'), i32(0x2c)), [
            // Anything else than the end of the array may belong to the element, as in `1x`, or be yet to come.
            ...when(ne(get('c'), i32(0x5d)), refuse),
            ...countPayload,
            ...globalSet('behindElement', i32(1)),
            ...giveBack(get('after')),
          ]),
          ...set('after', add(get('after'), i32(1))),
          ...branch('next'),
        ]),
        // In a stream a bare number may go on; what begins with a bracket or a quote has its end.
        branchIf('next', or(eq(load8(p), i32(0x7b)), or(eq(load8(p), i32(0x5b)), eq(load8(p), i32(0x22))))),
        refuse,
      ),
      countPayload,
      set('p', get('after')),
      when(geU(globalGet('notes'), i32(NOTES + MANY_NOTES * NOTE_BYTES)), giveBack(p)),
      when(ltU(p, get('end')), branch('payloads')),
    ),
    ...p,
  ],
};
