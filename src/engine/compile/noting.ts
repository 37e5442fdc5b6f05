/**
 * The way `note`: a function reads a value to its end whatever is wrong with it, and notes each keyword that fails. Members and
 * items are noted while the value is read; every other keyword is tested by itself, with the function that accept has for it.
 */
import type { JsonType } from '../../json/vocabulary.ts';
import { KEYWORDS } from '../../keywords/index.ts';
import { Unsupported } from '../../keywords/keyword-code.ts';
import { DIALECT_KEYWORDS, type DialectKeyword, keywordsWhere } from '../../schema/dialect.ts';
import { keywordValue, madeSchema, type SchemaNode } from '../../schema/node.ts';
import type { Code, FunctionCode } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { INVALID, UNSURE } from '../../wasm/templates.ts';
import { arrayCode, ITEM_KEYWORDS } from './arrays.ts';
import {
  type CompilerContext,
  isOnePointer,
  LOCALS,
  type NoteSite,
  type Notes,
  namedTypes,
  PARAMS,
  type SchemaAt,
} from './context.ts';
import { keywordsOf, SUPPORTED } from './keywords.ts';
import { NOTED_OF_OBJECTS, type ObjectPlan, objectCode } from './objects.ts';
import { FIRST_BYTE } from './scalars.ts';

/** Keywords of whose failure examine says only the value and the keyword, in the order in which it reports them. */
const NOTEABLE = ([null, 'number', 'string', 'array', 'object'] as const).map((type) => {
  const keywords = keywordsWhere(({ about }) => (type === null ? about === null : about?.includes(type) === true));
  return [type, keywords.filter(isJudgedByItself)] as const;
});

function isJudgedByItself(keyword: DialectKeyword): boolean {
  if (!SUPPORTED.has(keyword) || !Object.hasOwn(KEYWORDS, keyword)) return false;
  return KEYWORDS[keyword as keyof typeof KEYWORDS].judge !== undefined;
}

const start = asm.localGet('start');
const end = asm.localGet('end');

export class NoteSites implements Notes {
  readonly all: NoteSite[] = [];
  readonly #compiler: CompilerContext;

  constructor(compiler: CompilerContext) {
    this.#compiler = compiler;
  }

  others(at: SchemaAt, handled: readonly string[]): Code {
    const { schema } = at;
    const { own, branches } = keywordsOf(schema);
    const left = [...own, ...branches].filter((keyword) => !handled.includes(keyword));
    const noteable = NOTEABLE.map(([type, keywords]) => {
      const asked = keywords.filter((keyword) => left.includes(keyword));
      if (asked.length === 0) return [];
      const code = asked.map((keyword) => this.#askOne(schema, [keyword], this.#note(at, keyword), type));
      return type === null ? code : asm.if_(byteAt(type), code);
    });
    const known: readonly string[] = NOTEABLE.flatMap(([, keywords]) => keywords);
    const rest = left.filter((keyword) => keyword !== 'type' && !known.includes(keyword));
    // A value of the wrong type is not reported for these keywords as well.
    const typed = left.includes('type')
      ? asm.block('wrong type', this.#askType(schema, [this.#note(at, 'type'), asm.br('wrong type')]), noteable)
      : noteable;
    const apart = new Set([...handled, ...known, 'type']);
    const others = DIALECT_KEYWORDS.filter((keyword) => schema[keyword] !== undefined && !apart.has(keyword));
    return [typed, rest.length > 0 ? this.#askOne(schema, others, UNSURE) : []];
  }

  missing({ schema, path }: SchemaAt, name: string, hasUnknownNames: Code): Code {
    return this.#add({ schema, keyword: 'required', missing: name, path }, asm.i32Const(0), hasUnknownNames);
  }

  extra({ schema, path }: SchemaAt, nameStart: Code): Code {
    const site = { schema, keyword: 'additionalProperties', missing: null, path };
    return [asm.localSet('end', 'p'), this.#add(site, nameStart, asm.localGet('p'))];
  }

  /** Runs `otherwise` if the value at `start` has another type. */
  #askType(schema: SchemaNode, otherwise: Code): Code {
    const named: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
    if (named.includes('integer')) return this.#askOne(schema, ['type'], otherwise);
    const isOne = namedTypes(schema)
      .map(byteAt)
      .reduce((a, b) => asm.i32Or(a, b));
    return asm.if_(isOne, [], otherwise);
  }

  /** Runs `otherwise` if the value at `start` surely violates these keywords. */
  #askOne(schema: SchemaNode, keywords: readonly string[], otherwise: Code, type: JsonType | null = null): Code {
    const own = Object.fromEntries(keywords.map((keyword) => [keyword, keywordValue(schema, keyword)]));
    const { containsIsSilent = false } = schema;
    const others = { ...(containsIsSilent ? { containsIsSilent } : {}), ...(type === null ? {} : { type }) };
    const name = this.#compiler.functionFor(madeSchema({ ...own, ...others }, schema), 'again', '');
    return [
      asm.localSet('result', asm.call(name, start, 'depth')),
      asm.if_(asm.i32Eqz('result'), UNSURE),
      asm.if_(asm.i32Eq('result', 1), otherwise),
    ];
  }

  #note({ schema, path }: SchemaAt, keyword: string): Code {
    return this.#add({ schema, keyword, missing: null, path }, asm.i32Const(0), asm.i32Const(0));
  }

  /**
   * Adds a note about the value in [start, end). A note of a missing member has, in place of the end of a name, whether
   * the object has names that the schema does not know: one of them may be what was meant.
   */
  #add({ path, ...site }: Omit<NoteSite, 'pointer'> & SchemaAt, nameStart: Code, nameEnd: Code): Code {
    const number = asm.i32Const(this.all.push({ ...site, pointer: isOnePointer(path) ? path : null }) - 1);
    return asm.if_(asm.i32Eqz(asm.call('note', number, start, end, nameStart, nameEnd)), UNSURE);
  }
}

/** Whether the first byte of the value at `start` is one of this type. */
function byteAt(type: JsonType): Code {
  return [asm.localSet('p', start), FIRST_BYTE[type]!];
}

/** The keywords that change which values those that are noted are about. */
const AGAINST: readonly DialectKeyword[] = ['patternProperties', 'unevaluatedProperties', 'unevaluatedItems'];

/** For the containers that can be noted while they are read. */
const CONTAINERS = [
  { type: 'object', keywords: NOTED_OF_OBJECTS, code: objectCode },
  { type: 'array', keywords: ITEM_KEYWORDS, code: arrayCode },
] as const;

/** The noting function for a schema. With a guard for an object, it is "surely invalid" if the payload is of another kind. */
export function notingFunction(
  name: string,
  schema: SchemaNode,
  plan: ObjectPlan,
  compiler: CompilerContext,
): FunctionCode {
  const types = namedTypes(schema);
  const has = (keyword: DialectKeyword): boolean => schema[keyword] !== undefined;
  const containers = CONTAINERS.filter(
    ({ type, keywords }) => types.includes(type) && keywords.some(has) && !AGAINST.some(has),
  ).map(({ type, code }) => ({ type, ...code(schema, plan, compiler) }));
  if (plan.guard.object && containers.length === 0) throw new Unsupported('a kind that is not an object with members');
  const first = compiler.functionFor(schema, 'first', '');
  const depth = asm.localGet('depth');
  const body: Code = [
    asm.localSet('start', 'p'),
    containers.map(({ type, body }) => asm.if_(FIRST_BYTE[type]!, asm.return_(body))),
    plan.guard.object ? INVALID : [],
    // Another value is read as accept reads it, if nothing is wrong with it.
    asm.localSet('base', asm.globalGet('names')),
    asm.if_(asm.i32GtU(asm.localTee('end', asm.call(first, 'p', depth)), 1), asm.return_(end)),
    asm.globalSet('names', 'base'),
    asm.localSet('end', asm.call('any', 'start', depth)),
    asm.if_(asm.i32Eqz(end), UNSURE),
    compiler.notes!.others({ schema, path: plan.path }, []),
    end,
  ];
  const own = asm.i32s('start', 'end', 'base', 'result', 'hasUnknownNames');
  const locals = new Map([...LOCALS, ...own, ...containers.flatMap((container) => container.locals)]);
  return asm.func(name, PARAMS, [...locals], body);
}
