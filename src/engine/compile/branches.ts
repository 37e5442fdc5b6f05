/**
 * Keywords that apply schemas to the value itself: `allOf`, `anyOf`, `oneOf`, `not`, `if` and `$ref` beside others. The
 * value is read once to check that its text is well-formed. What else applies reads it again from its start.
 */
import { Unsupported } from '../../keywords/keyword-code.ts';
import type { DialectKeyword } from '../../schema/dialect.ts';
import { areDisjoint } from '../../schema/facts.ts';
import type { Schema, SchemaNode } from '../../schema/node.ts';
import type { Code, FunctionCode } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { chargeOne, INVALID, mustNotBeSpent, p, UNSURE } from '../../wasm/templates.ts';
import {
  type CompilerContext,
  isReread,
  LOCALS,
  NO_CONDITION,
  PARAMS,
  type Reading,
  type ReadingPlace,
  TYPES,
  typesOf,
} from './context.ts';
import { FIRST_BYTE } from './scalars.ts';

/** The keywords for which there is code in this file. */
export const BRANCH_KEYWORDS: readonly DialectKeyword[] = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/** The alternatives to choose from are bits of a mask. */
const MOST_ALTERNATIVES = 64;

const start = asm.localGet('start');
const depth = asm.localGet('depth');

/** The function for a schema with such keywords. `own`: code for its other keywords, null if it has none. */
export function branchFunction(
  name: string,
  schema: SchemaNode,
  { reading, path, own }: Pick<ReadingPlace, 'reading' | 'path'> & { readonly own: Code | null },
  compiler: CompilerContext,
): FunctionCode {
  const code = new BranchCode({ reading, path }, compiler);
  const locals = [
    ...asm.i32s('start', 'end', 'names', 'result', 'tried', 'unclear', 'found'),
    ['todo', 'i64'],
  ] as const;
  const body = [
    asm.localSet('start', p),
    reading === 'first' ? [] : [mustNotBeSpent, chargeOne],
    asm.localSet('names', asm.globalGet('names')),
    ...code.all(schema, own),
    p,
  ];
  return asm.func(name, PARAMS, [...LOCALS, ...locals], body);
}

class BranchCode {
  readonly #reading: Reading;
  readonly #path: string;
  readonly #compiler: CompilerContext;
  #labels = 0;

  constructor({ reading, path }: Pick<ReadingPlace, 'reading' | 'path'>, compiler: CompilerContext) {
    this.#reading = reading;
    this.#path = path;
    this.#compiler = compiler;
  }

  /** Reads the value once per keyword. The first pass also checks the text, so it reads in the function's way. */
  all(schema: SchemaNode, own: Code | null): Code {
    const parts: ((reading: Reading) => Code)[] = [];
    if (own !== null) parts.push(() => own); // always the first
    const { $ref = [], allOf = [], anyOf, oneOf } = schema;
    for (const one of [...$ref, ...allOf]) parts.push((reading) => this.#value(one, reading));
    if (anyOf !== undefined) parts.push((reading) => this.#alternatives(anyOf, false, reading));
    if (oneOf !== undefined) parts.push((reading) => this.#alternatives(oneOf, true, reading));
    if (parts.length === 0) parts.push((reading) => this.#value(true, reading));
    const [first, ...others] = parts;
    const again = others.map((part) => [asm.localSet('p', start), ...part('check')]);
    const conditions = [...this.#not(schema), ...this.#if(schema)];
    const code = first!(this.#reading);
    if (again.length + conditions.length === 0) return code;
    return [code, asm.localSet('end', p), ...again.flat(), ...conditions, asm.localSet('p', 'end')];
  }

  #value(schema: Schema, reading: Reading): Code {
    return this.#compiler.value(schema, { reading, depth, path: this.#path, kindCondition: NO_CONDITION });
  }

  /** Calls the function for `schema` from the start, and puts its result in `result`. */
  #ask(schema: Schema, reading: Reading): Code {
    const name = this.#compiler.functionFor(schema, reading, this.#path);
    return asm.localSet('result', asm.call(name, start, depth));
  }

  #not({ not }: SchemaNode): Code {
    if (not === undefined) return [];
    return [this.#ask(not, 'check'), asm.if_(asm.i32Eqz('result'), UNSURE), asm.if_(asm.i32GtU('result', 1), INVALID)];
  }

  #if({ if: test, then = true, else: otherwise = true }: SchemaNode): Code {
    if (test === undefined || (then === true && otherwise === true)) return [];
    const apply = (schema: Schema): Code => [asm.localSet('p', start), this.#value(schema, 'check')];
    return [
      this.#ask(test, 'check'),
      asm.if_(asm.i32Eqz('result'), UNSURE),
      asm.if_(asm.i32GtU('result', 1), apply(then), apply(otherwise)),
    ];
  }

  /** One of `list` (`exclusive`: exactly one) for the value at `p`. The first byte rules out some of them. */
  #alternatives(list: readonly Schema[], exclusive: boolean, reading: Reading): Code {
    const types = list.map((one) => typesOf(one));
    const groups = new Map<string, { readonly candidates: readonly Schema[]; readonly condition: Code[] }>();
    for (const type of TYPES) {
      const candidates = list.filter((_, i) => types[i]!.includes(type));
      if (candidates.length === 0) continue;
      const key = candidates.map((one) => list.indexOf(one)).join();
      const group = groups.get(key) ?? { candidates, condition: [] };
      group.condition.push(FIRST_BYTE[type]!);
      groups.set(key, group);
    }
    const label = `alternative ${this.#labels++}`;
    const cases = [...groups.values()].map(({ candidates, condition }) => {
      const code =
        candidates.length === 1 ? this.#value(candidates[0]!, reading) : this.#choose(candidates, exclusive, reading);
      const isOne = condition.reduce((a, b) => asm.i32Or(a, b));
      return asm.if_(isOne, [code, asm.br(label)]);
    });
    return asm.block(label, ...cases, INVALID);
  }

  /** Tries the alternatives, first the one that matched last; after a match, only those that could match too. */
  #choose(list: readonly Schema[], exclusive: boolean, reading: Reading): Code {
    if (list.length > MOST_ALTERNATIVES) throw new Unsupported(`more than ${MOST_ALTERNATIVES} alternatives`);
    const last = this.#compiler.addGlobal('last');
    const tried = asm.localGet('tried');
    const bit = asm.i64Shl(asm.i64Const(1n), asm.i64ExtendI32U(tried));
    const overlaps = list.map((one, i) =>
      list.reduce(
        (mask, other, j) => (exclusive && i !== j && !areDisjoint(one, other) ? mask | (1n << BigInt(j)) : mask),
        0n,
      ),
    );
    const mustBeOnly = overlaps.some((mask) => mask !== 0n);
    const firstReading = reading === 'first' ? 'try' : reading;
    const isFound = asm.localGet('found');
    const callFirst = this.#callOne(list, firstReading);
    const callOne =
      mustBeOnly && !isReread(firstReading)
        ? asm.if_(asm.i32Eqz(isFound), callFirst, this.#callOne(list, 'check'))
        : callFirst;
    const found = [
      mustBeOnly ? asm.if_(isFound, INVALID) : [],
      asm.localSet('found', 'result'),
      asm.globalSet(last, tried),
      mustBeOnly
        ? asm.localSet('todo', asm.i64And('todo', pick(overlaps, tried)))
        : asm.localSet('todo', asm.i64Const(0n)),
    ];
    return [
      asm.localSet('found', 0),
      asm.localSet('unclear', 0),
      asm.localSet('todo', asm.i64Const((1n << BigInt(list.length)) - 1n)),
      asm.localSet('tried', asm.globalGet(last)),
      asm.loop(
        'next alternative',
        asm.localSet('todo', asm.i64And('todo', asm.i64Xor(bit, asm.i64Const(-1n)))),
        // Drop the names that a failed attempt left on the stack.
        asm.if_(asm.i32Eqz(isFound), asm.globalSet('names', 'names')),
        callOne,
        asm.if_(asm.i32GtU('result', 1), found, asm.localSet('unclear', asm.i32Or('unclear', asm.i32Eqz('result')))),
        asm.if_(asm.i64Ne('todo', asm.i64Const(0n)), [
          asm.localSet('tried', asm.i32WrapI64(asm.i64Ctz('todo'))),
          asm.br('next alternative'),
        ]),
      ),
      asm.if_(asm.i32Eqz(isFound), [asm.if_('unclear', UNSURE), INVALID]),
      mustBeOnly ? asm.if_('unclear', UNSURE) : [],
      asm.localSet('p', isFound),
    ];
  }

  /** Puts the result of the alternative with number `tried` in `result`. */
  #callOne(list: readonly Schema[], reading: Reading): Code {
    const labels = list.map((_, i) => `try ${i}`);
    let code = asm.brTable('tried', labels.slice(0, -1), labels.at(-1)!);
    for (const [i, schema] of list.entries())
      code = [asm.block(labels[i]!, code), this.#ask(schema, reading), asm.br('tried')];
    return asm.block('tried', code);
  }
}

function pick(masks: readonly bigint[], index: Code): Code {
  /** All bits if `index` is `i`, else none. */
  const isIndex = (i: number): Code => asm.i64Sub(asm.i64Const(0n), asm.i64ExtendI32U(asm.i32Eq(index, i)));
  return masks.reduce<Code>(
    (code, mask, i) => (mask === 0n ? code : asm.i64Or(code, asm.i64And(asm.i64Const(mask), isIndex(i)))),
    asm.i64Const(0n),
  );
}
