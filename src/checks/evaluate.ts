/**
 * The tree of an expression as closures, made before the first payload: what is not part of the language of checks is refused
 * here, with its reason. A failure is a value, which `&&`, `||`, `all` and `exists` may pass over, as CEL says.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import { UsageError } from '../errors.ts';
import { jsonNumber } from '../json/decimal.ts';
import { memoized } from '../json/on-demand.ts';
import { compileMatcher } from '../regex/matcher.ts';
import { parseRe2 } from '../regex/re2.ts';
import { quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { Failure, type StepCount } from './failure.ts';
import { type CelFunction, call, FUNCTIONS } from './functions.ts';
import { existsOne, filter, itemsOf, mapping, quantifier } from './macros.ts';
import { asInt, int64, isNumeric, negated } from './numbers.ts';
import { COMPARISONS, comparison, operation, resultOf } from './operators.ts';
import type { Shape } from './shape.ts';
import {
  asKey,
  BEYOND_DOUBLE,
  type CelType,
  type Closure,
  failed,
  found,
  isIn,
  isMap,
  noOverload,
  valueAt,
} from './values.ts';

interface TypedClosure {
  readonly read: Closure;
  /** The same, with ints as JSON.parse makes them: enough to compare. */
  readonly raw: Closure;
  readonly type: CelType | 'dyn';
  /** What the schema says about it; null: nothing. */
  readonly shape: Shape | null;
  /** It is written out. */
  readonly isConstant: boolean;
  /** It is a part of the payload, or the variable of a macro. */
  readonly isPlace: boolean;
  /** The names that lead to it from `self`; null: it is no such place. */
  readonly path: readonly string[] | null;
}

/** A place of the payload that an expression reads. */
export interface ReadPlace {
  /** From `self`. */
  readonly path: readonly string[];
  /** It is only asked whether it is there. */
  readonly isAsked: boolean;
}

interface Variable {
  readonly slot: number;
  readonly shape: Shape | null;
}

type Names = ReadonlyMap<string, Variable>;

export interface Compiling {
  /** The beginning of a message. */
  readonly at: string;
  readonly steps: StepCount;
  /** Is told of each member that the expression names. */
  readonly named?: (shape: Shape | null, name: string) => void;
}

export interface CompiledExpression {
  /** Of the values of the variables, in their order. */
  readonly read: Closure;
  readonly type: CelType | 'dyn';
  readonly places: readonly ReadPlace[];
}

/** `variables`: what is known of each; the first is `self`. Throws UsageError. */
export function compile(
  ast: ASTNode,
  variables: ReadonlyMap<string, Shape | null>,
  options: Compiling,
): CompiledExpression {
  return new ExpressionCompiler(variables, options).whole(ast);
}

export const MACROS: readonly string[] = ['all', 'exists', 'exists_one', 'map', 'filter'];
/** Of CEL, but not of checks. */
const OUT: readonly string[] = ['type', 'uint', 'bytes', 'bind', 'optional', 'optMap', 'optFlatMap', 'orValue', 'or'];

/** By its source. Throws an Error whose message says why there is none. */
const matcherOf = memoized((source: string): ((text: string) => boolean) => {
  const { matches, reason } = compileMatcher(source, { dialect: parseRe2 });
  if (matches === null || reason !== null) throw new Error(`the pattern ${quote(source)} cannot be used: ${reason}`);
  return matches;
});

class ExpressionCompiler {
  readonly #names: Names;
  readonly #at: string;
  readonly #steps: StepCount;
  readonly #named: NonNullable<Compiling['named']>;
  readonly #places: ReadPlace[] = [];
  #slots: number;

  constructor(variables: ReadonlyMap<string, Shape | null>, { at, steps, named = () => {} }: Compiling) {
    this.#names = new Map([...variables].map(([name, shape], slot) => [name, { slot, shape }]));
    this.#slots = variables.size;
    this.#at = at;
    this.#steps = steps;
    this.#named = named;
  }

  whole(ast: ASTNode): CompiledExpression {
    const { read, type } = this.#value(ast, this.#names);
    return { read, type, places: this.#places };
  }

  #refuse(text: string): never {
    throw new UsageError(this.#at + text);
  }

  /** All of a value. */
  #value(node: ASTNode, names: Names): TypedClosure {
    const part = this.#part(node, names);
    if (part.path !== null) this.#places.push({ path: part.path, isAsked: false });
    return part;
  }

  #values(nodes: readonly ASTNode[], names: Names): readonly TypedClosure[] {
    return nodes.map((node) => this.#value(node, names));
  }

  #part(node: ASTNode, names: Names): TypedClosure {
    switch (node.op) {
      case 'value':
        return this.#literal(node.args, node.input.slice(node.start, node.end));
      case 'id':
        return this.#variable(node.args, names);
      case '.':
        return this.#member(node.args[0], node.args[1], `has(${printed(node)})`, names);
      case '[]':
        return this.#item(node.args, names);
      case 'list':
        return this.#list(node.args, names);
      case 'map':
        return this.#map(node.args, names);
      case '?:':
        return this.#conditional(node.args, names);
      case '!_':
        return this.#not(this.#bool(node.args, '!', names));
      case '-_':
        return this.#negative(node.args, names);
      case '&&':
      case '||':
        return this.#logical(node.op, node.args, names);
      case 'call':
        return this.#call(node.args[0], null, node.args[1], names);
      case 'rcall':
        return this.#call(node.args[0], node.args[1], node.args[2], names);
      case '.?':
      case '[?]':
        return this.#refuse('checks have no optional values');
      default:
        return this.#binary(node.op, node.args, names);
    }
  }

  #literal(value: unknown, text: string): TypedClosure {
    if (typeof value === 'bigint') {
      if (int64(value) !== value) this.#refuse(`the integer ${text} is beyond int64`);
      return constant(value, 'int');
    }
    if (typeof value === 'number') return constant(jsonNumber(text), 'double');
    if (typeof value === 'string') return constant(value, 'string');
    if (typeof value === 'boolean') return constant(value, 'bool');
    if (value === null) return constant(null, 'null');
    return this.#refuse(value instanceof Uint8Array ? 'checks have no bytes' : 'checks have no unsigned integers');
  }

  #variable(name: string, names: Names): TypedClosure {
    const variable = names.get(name);
    if (variable === undefined) {
      const known = [...names.keys()];
      const near = nearMiss(name, known);
      const guess = near === null ? `there is ${known.join(', ')}` : `did you mean ${quote(near)}?`;
      return this.#refuse(`there is no variable ${quote(name)}; ${guess}`);
    }
    const { slot, shape } = variable;
    return place((scope) => scope[slot], shape, slot === 0 ? [] : null);
  }

  /** `hint`: what tells whether it is there. */
  #member(object: ASTNode, name: string, hint: string, names: Names): TypedClosure {
    const of = this.#part(object, names);
    if (of.type !== 'dyn' && of.type !== 'map')
      this.#refuse(`a value of the type ${of.type} has no member ${quote(name)}`);
    this.#named(of.shape, name);
    const missing = new Failure(`there is no member ${quote(name)}`, hint.includes('…') ? null : hint);
    const { raw } = of;
    const read: Closure = (scope) => {
      const value = raw(scope);
      if (!isMap(value)) return value instanceof Failure ? value : noOverload(`member ${quote(name)}`, value);
      const inner = valueAt(value, name);
      if (inner === undefined) return missing;
      return typeof inner === 'number' && !Number.isFinite(inner) && !(value instanceof Map) ? BEYOND_DOUBLE : inner;
    };
    return place(read, of.shape?.member(name) ?? null, of.path && [...of.path, name]);
  }

  #item([list, key]: readonly [ASTNode, ASTNode], names: Names): TypedClosure {
    const isName = key.op === 'value' && typeof key.args === 'string';
    if (isName) return this.#member(list, key.args as string, `${printed(key)} in ${printed(list)}`, names); // just checked
    const [of, at] = this.#values([list, key], names) as [TypedClosure, TypedClosure]; // of two nodes
    if (!['dyn', 'map', 'list'].includes(of.type)) this.#refuse(`a value of the type ${of.type} has no items`);
    const read: Closure = (scope) => {
      const value = of.raw(scope);
      const index = at.read(scope);
      if (value instanceof Failure || index instanceof Failure) return value instanceof Failure ? value : index;
      if (isMap(value)) return found(valueAt(value, index), index);
      if (!Array.isArray(value) || !isNumeric(index) || typeof asInt(index) !== 'bigint')
        return noOverload('item', value, index);
      return found((value as readonly unknown[])[Number(index)], index);
    };
    return place(read, of.shape?.item ?? null, null);
  }

  #list(nodes: readonly ASTNode[], names: Names): TypedClosure {
    const items = this.#values(nodes, names).map(({ read }) => read);
    return made('list', (scope) => {
      const list = items.map((read) => read(scope));
      return list.find((one) => one instanceof Failure) ?? list;
    });
  }

  #map(entries: readonly (readonly [ASTNode, ASTNode])[], names: Names): TypedClosure {
    const parts = entries.map((entry) => this.#values(entry, names).map(({ read }) => read));
    return made('map', (scope) => {
      const map = new Map<unknown, unknown>();
      for (const [key, value] of parts) {
        const of = asKey(key!(scope)); // a key and a value
        const inner = of instanceof Failure ? of : value!(scope);
        if (inner instanceof Failure) return inner;
        if (map.has(of)) return new Failure('a key of a map is there twice');
        map.set(of, inner);
      }
      return map;
    });
  }

  /** A part that is true or false. `by`: what asks for that. */
  #bool(node: ASTNode, by: string, names: Names): TypedClosure {
    const part = this.#value(node, names);
    if (part.type !== 'dyn' && part.type !== 'bool') this.#refuse(`there is no ${by} for ${part.type}`);
    return part;
  }

  #conditional([test, yes, no]: readonly [ASTNode, ASTNode, ASTNode], names: Names): TypedClosure {
    const { read } = this.#bool(test, '?:', names);
    const [a, b] = this.#values([yes, no], names) as [TypedClosure, TypedClosure]; // of two nodes
    return made(a.type === b.type ? a.type : 'dyn', (scope) => {
      const asked = read(scope);
      if (asked === true) return a.read(scope);
      return asked === false ? b.read(scope) : failed('?:', asked);
    });
  }

  #not({ read }: TypedClosure): TypedClosure {
    return made('bool', (scope) => {
      const value = read(scope);
      return typeof value === 'boolean' ? !value : failed('!', value);
    });
  }

  #negative(node: ASTNode, names: Names): TypedClosure {
    if (node.op === 'value' && typeof node.args === 'bigint') return this.#literal(-node.args, `-${printed(node)}`);
    if (node.op === 'value' && typeof node.args === 'number')
      return constant(jsonNumber(`-${printed(node)}`), 'double');
    const { read, type } = this.#value(node, names);
    if (!['dyn', 'int', 'double'].includes(type)) this.#refuse(`there is no - for ${type}`);
    return made(type, (scope) => {
      const value = read(scope);
      return isNumeric(value) ? negated(value) : failed('-', value);
    });
  }

  #logical(by: '&&' | '||', nodes: readonly [ASTNode, ASTNode], names: Names): TypedClosure {
    const [left, right] = nodes.map((node) => this.#bool(node, by, names).read) as [Closure, Closure]; // of two nodes
    const ending = by === '||';
    return made('bool', (scope) => {
      const a = left(scope);
      if (a === ending) return ending;
      const b = right(scope);
      if (b === ending) return ending;
      return a !== !ending ? failed(by, a) : b !== !ending ? failed(by, b) : b;
    });
  }

  #binary(by: string, nodes: readonly ASTNode[], names: Names): TypedClosure {
    const [a, b] = this.#values(nodes, names) as [TypedClosure, TypedClosure]; // of two nodes
    const type = resultOf(by, a.type, b.type);
    if (type === null) this.#refuse(`there is no ${by} for ${a.type} and ${b.type}`);
    const steps = this.#steps;
    const [x, y] = by in COMPARISONS || by === 'in' ? [a.raw, b.raw] : [a.read, b.read];
    if (by in COMPARISONS) return made('bool', comparison(by, x, y, steps));
    const apply = by === 'in' ? isIn : operation(by);
    return made(type!, (scope) => {
      const left = x(scope);
      const right = y(scope);
      if (left instanceof Failure) return left;
      return right instanceof Failure ? right : (apply(left, right, steps) ?? noOverload(by, left, right));
    });
  }

  #call(name: string, receiver: ASTNode | null, args: readonly ASTNode[], names: Names): TypedClosure {
    if (name === 'has' && receiver === null) return this.#has(args, names);
    if (receiver !== null && MACROS.includes(name)) return this.#macro(name, receiver, args, names);
    const all = receiver === null ? args : [receiver, ...args];
    if (name === 'matches') return this.#matches(all, names);
    const own = FUNCTIONS.get(name);
    if (own === undefined || own.style === (receiver === null ? 'method' : 'call'))
      return this.#unknown(name, receiver);
    const { texts, by, gives } = own;
    if (all.length < 1 + texts[0] || all.length > 1 + texts[1]) this.#refuse(`${name} has another number of arguments`);
    const parts = this.#values(all, names);
    for (const [i, { type }] of parts.entries())
      if (type !== 'dyn' && (i === 0 ? by[type] === undefined : type !== 'string'))
        this.#refuse(`there is no ${name} for ${type}`);
    const fault = parts[1]?.isConstant ? own.fault?.(parts[1].read([]) as string) : null; // a text, as checked
    if (fault) this.#refuse(`${name}(${printed(all[1]!)}): ${fault.why}`);
    const steps = this.#steps;
    const { shape } = parts[0]!;
    const isSumOfInts = name === 'sum' && shape?.item?.isInteger === true;
    // The digits of a number of the payload are those that are written.
    const of = name === 'int' && parts[0]!.isPlace ? [{ ...parts[0]!, read: withInts(parts[0]!.raw) }] : parts;
    const read = reading(own, name, of, steps);
    if (isSumOfInts) return place(read, shape.item, null);
    if (!parts.every(({ isConstant }) => isConstant)) return made(gives, read);
    const value = read([]);
    if (value instanceof Failure) return this.#refuse(`${name}(${all.map(printed).join(', ')}): ${value.why}`);
    return constant(value, gives);
  }

  #unknown(name: string, receiver: ASTNode | null): never {
    if (OUT.includes(name)) return this.#refuse(`checks have no ${name}`);
    const own = FUNCTIONS.get(name);
    if (own !== undefined) return this.#refuse(receiver === null ? `write value.${name}()` : `write ${name}(value)`);
    const near = nearMiss(name, [...FUNCTIONS.keys(), ...MACROS, 'has', 'matches']);
    return this.#refuse(`there is no function ${quote(name)}${near === null ? '' : `; did you mean ${quote(near)}?`}`);
  }

  #has([node, ...others]: readonly ASTNode[], names: Names): TypedClosure {
    if (node?.op !== '.' || others.length > 0) return this.#refuse('has takes a member, such as has(self.a)');
    const [object, name] = node.args;
    const { path, raw, type, shape } = this.#part(object, names);
    this.#named(shape, name);
    if (type !== 'dyn' && type !== 'map') this.#refuse(`a value of the type ${type} has no member ${quote(name)}`);
    if (path !== null) this.#places.push({ path: [...path, name], isAsked: true });
    return made('bool', (scope) => {
      const value = raw(scope);
      if (isMap(value)) return valueAt(value, name) !== undefined;
      return failed('has', value);
    });
  }

  #matches([text, pattern, ...others]: readonly ASTNode[], names: Names): TypedClosure {
    if (text === undefined || pattern?.op !== 'value' || typeof pattern.args !== 'string' || others.length > 0)
      return this.#refuse('the argument of matches must be a text that is written out');
    const { read, type } = this.#value(text, names);
    if (type !== 'dyn' && type !== 'string') this.#refuse(`there is no matches for ${type}`);
    const steps = this.#steps;
    const matches = this.#matcher(pattern.args);
    return made('bool', (scope) => {
      const value = read(scope);
      if (typeof value !== 'string') return failed('matches', value);
      steps.takeText(value.length);
      return matches(value);
    });
  }

  #matcher(source: string): (text: string) => boolean {
    try {
      return matcherOf(source);
    } catch (error) {
      return this.#refuse(visible((error as Error).message)); // of the parser of expressions
    }
  }

  #macro(name: string, receiver: ASTNode, [variable, ...bodies]: readonly ASTNode[], names: Names): TypedClosure {
    const most = name === 'map' ? 2 : 1;
    if (variable?.op !== 'id' || bodies.length < 1 || bodies.length > most)
      return this.#refuse(`${name} takes a name and an expression, such as self.lines.${name}(line, line.price > 0)`);
    const list = this.#value(receiver, names);
    if (!['dyn', 'list', 'map'].includes(list.type)) this.#refuse(`there is no ${name} for ${list.type}`);
    const slot = this.#slots++;
    const inner = new Map(names).set(variable.args, { slot, shape: list.shape?.item ?? null });
    const steps = this.#steps;
    const items = itemsOf(name, list.raw);
    const loop = { items, slot, steps };
    const test = (): Closure => this.#bool(bodies[0]!, name, inner).read;
    if (name === 'filter') return { ...made('list', filter(loop, test())), shape: list.shape };
    if (name === 'exists_one') return made('bool', existsOne(loop, test()));
    if (name !== 'map') return made('bool', quantifier(loop, test(), name === 'exists'));
    const filtered = bodies.length === 2 ? { ...loop, items: filter(loop, test()) } : loop;
    const to = this.#value(bodies.at(-1)!, inner);
    return made('list', mapping(filtered, to.read));
  }
}

const constant = (value: unknown, type: TypedClosure['type']): TypedClosure => {
  const double = typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return { read: () => value, raw: () => double, type, shape: null, isConstant: true, isPlace: false, path: null };
};

const made = (type: TypedClosure['type'], read: Closure): TypedClosure => ({
  ...{ read, raw: read, type, shape: null, isConstant: false, isPlace: false, path: null },
});

/** A value of the payload, or of what expressions have made; its numbers are ints if the schema says so. */
function place(raw: Closure, shape: Shape | null, path: TypedClosure['path']): TypedClosure {
  const read = shape?.isInteger === true ? withInts(raw) : raw;
  return { read, raw, type: 'dyn', shape, isConstant: false, isPlace: true, path };
}

function withInts(raw: Closure): Closure {
  return (scope) => {
    const value = raw(scope);
    return isNumeric(value) ? asInt(value) : value;
  };
}

function reading(own: CelFunction, name: string, parts: readonly TypedClosure[], steps: StepCount): Closure {
  const [of, text] = parts.map(({ read }) => read);
  return (scope) => {
    const value = of!(scope); // there is one at least
    if (value instanceof Failure) return value;
    const other = text?.(scope);
    if (other instanceof Failure) return other;
    return call(own, [value, other], steps) ?? noOverload(name, ...(text === undefined ? [value] : [value, other]));
  };
}

/** A place as it can be written in a hint; `…`: it is none. */
function printed(node: ASTNode): string {
  if (node.op === 'value') return node.input.slice(node.start, node.end);
  if (node.op === 'id') return node.args;
  if (node.op === '.') return `${printed(node.args[0])}.${node.args[1]}`;
  return node.op === '[]' ? `${printed(node.args[0])}[${printed(node.args[1])}]` : '…';
}
