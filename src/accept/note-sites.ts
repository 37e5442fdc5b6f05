/**
 * Keywords that are tested separately when a value is read, with the functions that accept has for them; and the notes of
 * those that the value violates.
 */
import { KEYWORDS } from '../keywords/index.ts';
import { type About, DIALECT_KEYWORDS, type DialectKeyword, keywordsWhere } from '../schema/dialect.ts';
import { keywordValue, madeSchema, type SchemaNode } from '../schema/node.ts';
import {
  block,
  br,
  type Code,
  call,
  i32Const,
  i32Eq,
  i32Eqz,
  i32Or,
  if_,
  localGet,
  localSet,
} from '../wasm/assembler.ts';
import { type CompilerContext, isOnePointer, type NoteSite, type Notes, type SchemaAt } from './context.ts';
import { keywordsOf, SUPPORTED } from './keywords.ts';
import { FIRST_BYTE } from './scalars.ts';
import { type JsonType, namedTypes } from './shape.ts';
import { UNSURE } from './templates.ts';

/**
 * Keywords whose failure is a violation of its own, in the order in which examine reports those of one value. For each of
 * them, examine says nothing more than the value and the keyword.
 */
const NOTEABLE: readonly (readonly [type: About | null, keywords: readonly DialectKeyword[]])[] = (
  [null, 'number', 'string', 'array', 'object'] as const
).map((type) => [type, keywordsWhere(({ about }) => aboutOnly(about, type)).filter(isJudgedByItself)]);

function aboutOnly(about: readonly About[] | null, type: About | null): boolean {
  return type === null || about === null ? about === type : about.includes(type);
}

function isJudgedByItself(keyword: DialectKeyword): boolean {
  if (!SUPPORTED.has(keyword) || !Object.hasOwn(KEYWORDS, keyword)) return false;
  return KEYWORDS[keyword as keyof typeof KEYWORDS].judge !== undefined;
}

const start = localGet('start');
const end = localGet('end');

export class NoteSites implements Notes {
  /** By number. */
  readonly all: NoteSite[] = [];
  readonly #compiler: CompilerContext;
  readonly #countable: readonly DialectKeyword[];

  /** `countable`: keywords that are noted as well. */
  constructor(compiler: CompilerContext, countable: readonly DialectKeyword[]) {
    this.#compiler = compiler;
    this.#countable = countable;
  }

  others(at: SchemaAt, handled: readonly string[]): Code {
    const { schema } = at;
    const { own, branches, unsupported } = keywordsOf(schema);
    const left = [...own, ...branches].filter((keyword) => !handled.includes(keyword));
    const noteable = NOTEABLE.map(([type, keywords]) => {
      const asked = keywords.filter((keyword) => left.includes(keyword));
      if (asked.length === 0) return [];
      const code = asked.map((keyword) => this.#askOne(schema, [keyword], this.#note(at, keyword), type));
      return type === null ? code : if_(byteAt(type), code);
    });
    const known: readonly string[] = [...NOTEABLE.flatMap(([, keywords]) => keywords), ...this.#countable];
    const rest = left.filter((keyword) => keyword !== 'type' && !known.includes(keyword));
    // A value of the wrong type is not reported for these keywords as well.
    const typed = left.includes('type')
      ? block('wrong type', this.#askType(schema, [this.#note(at, 'type'), br('wrong type')]), noteable)
      : noteable;
    const apart = new Set([...handled, ...known, 'type']);
    const others = DIALECT_KEYWORDS.filter((keyword) => schema[keyword] !== undefined && !apart.has(keyword));
    const counted = this.#countable
      .filter((keyword) => left.includes(keyword))
      .map((keyword) => this.#askOne(schema, [keyword], this.#note(at, keyword)));
    return [typed, counted, rest.length + unsupported.length > 0 ? this.#askOne(schema, others, UNSURE) : []];
  }

  missing({ schema, path }: SchemaAt, name: string, strangers: Code): Code {
    return this.#add({ schema, keyword: 'required', missing: name, path }, i32Const(0), strangers);
  }

  extra({ schema, path }: SchemaAt, nameStart: Code): Code {
    const site = { schema, keyword: 'additionalProperties', missing: null, path };
    return [localSet('end', localGet('p')), this.#add(site, nameStart, localGet('p'))];
  }

  /** Runs `otherwise` if the value at `start` has another type. */
  #askType(schema: SchemaNode, otherwise: Code): Code {
    const named: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
    if (named.includes('integer')) return this.#askOne(schema, ['type'], otherwise);
    const isOne = namedTypes(schema)
      .map(byteAt)
      .reduce((a, b) => i32Or(a, b));
    return if_(isOne, [], otherwise);
  }

  /** Runs `otherwise` if the value at `start` surely violates these keywords. */
  #askOne(
    schema: SchemaNode,
    keywords: readonly string[],
    otherwise: Code,
    type: JsonType | null = null,
  ): Code {
    const own = Object.fromEntries(keywords.map((keyword) => [keyword, keywordValue(schema, keyword)]));
    const { containsIsSilent = false } = schema;
    const others = { ...(containsIsSilent ? { containsIsSilent } : {}), ...(type === null ? {} : { type }) };
    const name = this.#compiler.functionFor(madeSchema({ ...own, ...others }, schema), 'again', '');
    return [
      localSet('result', call(name, start, localGet('depth'))),
      if_(i32Eqz(localGet('result')), UNSURE),
      if_(i32Eq(localGet('result'), i32Const(1)), otherwise),
    ];
  }

  #note({ schema, path }: SchemaAt, keyword: string): Code {
    return this.#add({ schema, keyword, missing: null, path }, i32Const(0), i32Const(0));
  }

  /**
   * Adds a note about the value in [start, end). A note of a missing member has, in place of the end of a name, whether
   * the object has names that the schema does not know: one of them may be what was meant.
   */
  #add({ path, ...site }: Omit<NoteSite, 'pointer'> & SchemaAt, nameStart: Code, nameEnd: Code): Code {
    const number = i32Const(this.all.push({ ...site, pointer: isOnePointer(path) ? path : null }) - 1);
    return if_(i32Eqz(call('note', number, start, end, nameStart, nameEnd)), UNSURE);
  }
}

/** Whether the first byte of the value at `start` is one of this type. */
function byteAt(type: JsonType): Code {
  return [localSet('p', start), FIRST_BYTE[type]!];
}
