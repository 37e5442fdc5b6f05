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
import type { Shape } from '../schema/described-members.ts';
import { quote, visible } from '../words/escape.ts';
import { guessed } from '../words/near.ts';
import { Failure, type StepCount } from './failure.ts';
import { list, quantifier } from './macros.ts';
import { asInt, int64, isNumeric } from './numbers.ts';
import { COMPARISONS, canBe, FUNCTION_NAMES, isFor, METHODS, OF_NUMBERS, OVERLOADS, type Type } from './overloads.ts';
import { GETTER_NAMES, secondsOfOffset } from './time.ts';
import {
  type AnyMap,
  asKey,
  BEYOND_DOUBLE,
  type Closure,
  isMap,
  type List,
  noOverload,
  typeOf,
  valueAt,
} from './values.ts';

/** A part of an expression. */
interface Part {
  readonly read: Closure;
  /** The same, with ints as JSON.parse makes them: enough to compare. */
  readonly raw: Closure;
  readonly type: Type;
  /** What the schema says about it; null: nothing. */
  readonly shape: Shape | null;
  /** Written out, a part of the payload (or the variable of a macro), or made of others. */
  readonly origin: 'constant' | 'place' | 'made';
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

export interface Compiling {
  /** The beginning of a message. */
  readonly at: string;
  readonly steps: StepCount;
  /** Is told of each member that the expression names. */
  readonly named?: (shape: Shape | null, name: string) => void;
}

const MACROS: readonly string[] = ['all', 'exists', 'exists_one', 'map', 'filter'];
/** Of CEL, but not of checks. */
const OUT: readonly string[] = ['type', 'uint', 'bytes', 'bind', 'optional', 'optMap', 'optFlatMap', 'orValue', 'or'];

const matcherOf = memoized((source: string) => compileMatcher(source, { dialect: parseRe2 }));

/** Makes functions of the values of the variables, in their order. */
export class ExpressionCompiler {
  /** What they read of the first variable. */
  readonly places: ReadPlace[] = [];
  readonly #options: Compiling;
  /** The variables that are known here, and how many there are anywhere. */
  #names: ReadonlyMap<string, { readonly slot: number; readonly shape: Shape | null }>;
  #slots: number;

  /** `variables`: what is known of each; the first is `self`. */
  constructor(variables: ReadonlyMap<string, Shape | null>, options: Compiling) {
    this.#names = new Map([...variables].map(([name, shape], slot) => [name, { slot, shape }]));
    this.#slots = variables.size;
    this.#options = options;
  }

  #refuse(text: string): never {
    throw new UsageError(this.#options.at + text);
  }

  /** All of a value. Throws UsageError. */
  value(node: ASTNode): Part {
    const part = this.#part(node);
    if (part.path !== null) this.places.push({ path: part.path, isAsked: false });
    return part;
  }

  /** A value of one of the types, as far as is known. `by`: what asks for that. */
  #typed(node: ASTNode, by: string, ...types: readonly Type[]): Part {
    const part = this.value(node);
    if (!types.some((type) => canBe(type, part.type))) this.#refuse(`there is no ${by} for ${part.type}`);
    return part;
  }

  /** A value whose items are counted, but not read. */
  #counted(node: ASTNode): Part {
    const part = this.#part(node);
    if (part.path !== null) this.places.push({ path: [...part.path, '*'], isAsked: true });
    return part;
  }

  #part(node: ASTNode): Part {
    switch (node.op) {
      case 'value':
        return this.#literal(node.args, printed(node));
      case 'id':
        return this.#variable(node.args);
      case '.':
        return this.#member(node.args[0], node.args[1], `has(${printed(node)})`);
      case '[]':
        return this.#item(node.args);
      case 'list':
        return this.#list(node.args);
      case 'map':
        return this.#map(node.args);
      case '?:':
        return this.#conditional(node.args);
      case '-_':
        return this.#negative(node.args);
      case '!_':
        return this.#applied('!_', [this.value(node.args)]);
      case '&&':
      case '||':
        return this.#logical(node.op, node.args);
      case 'call':
        return this.#call(node.args[0], null, node.args[1]);
      case 'rcall':
        return this.#call(node.args[0], node.args[1], node.args[2]);
      case '.?':
      case '[?]':
        return this.#refuse('checks have no optional values');
      default:
        return this.#applied(node.op, this.#values(node.args));
    }
  }

  #values(nodes: readonly ASTNode[]): readonly Part[] {
    return nodes.map((node) => this.value(node));
  }

  #literal(value: unknown, text: string): Part {
    if (typeof value === 'bigint' && int64(value) !== value) this.#refuse(`the integer ${text} is beyond int64`);
    if (typeof value === 'number') return constant(jsonNumber(text), 'double');
    if (value instanceof Uint8Array) return this.#refuse('checks have no bytes');
    if (typeof value === 'object' && value !== null) return this.#refuse('checks have no unsigned integers');
    return constant(value, typeOf(value));
  }

  #negative(node: ASTNode): Part {
    const isNumber = node.op === 'value' && (typeof node.args === 'bigint' || typeof node.args === 'number');
    if (!isNumber) return this.#applied('-_', [this.value(node)]);
    return this.#literal(-(node.args as number | bigint), `-${printed(node)}`); // just checked
  }

  #variable(name: string): Part {
    const variable = this.#names.get(name);
    if (variable === undefined) {
      const known = [...this.#names.keys()];
      const guess = guessed(name, known, `; there is ${known.join(', ')}`);
      return this.#refuse(`there is no variable ${quote(name)}${guess}`);
    }
    const { slot, shape } = variable;
    return place((scope) => scope[slot], shape, slot === 0 ? [] : null);
  }

  /** What may have a member of that name. */
  #object(node: ASTNode, name: string): Part {
    const part = this.#part(node);
    if (!canBe('map', part.type)) this.#refuse(`a value of the type ${part.type} has no member ${quote(name)}`);
    this.#options.named?.(part.shape, name);
    return part;
  }

  /** `hint`: what tells whether it is there. */
  #member(node: ASTNode, name: string, hint: string): Part {
    const { raw, shape, path } = this.#object(node, name);
    const missing = noMember(name, hint.includes('…') ? null : hint);
    const read: Closure = (scope) => {
      const object = raw(scope);
      if (!isMap(object)) return noOverload(`member ${quote(name)}`, object);
      const value = valueAt(object, name);
      if (typeof value === 'number' && !Number.isFinite(value) && !(object instanceof Map)) return BEYOND_DOUBLE;
      return value === undefined ? missing : value;
    };
    return place(read, shape?.member(name) ?? null, path && [...path, name]);
  }

  #has([node, ...others]: readonly ASTNode[]): Part {
    if (node?.op !== '.' || others.length > 0) return this.#refuse('has takes a member, such as has(self.a)');
    const [object, name] = node.args;
    const { raw, path } = this.#object(object, name);
    if (path !== null) this.places.push({ path: [...path, name], isAsked: true });
    return made('bool', (scope) => {
      const value = raw(scope);
      return isMap(value) ? valueAt(value, name) !== undefined : noOverload('has', value);
    });
  }

  #item([node, key]: readonly [ASTNode, ASTNode]): Part {
    const isName = key.op === 'value' && typeof key.args === 'string';
    if (isName) return this.#member(node, key.args as string, `${printed(key)} in ${printed(node)}`); // just checked
    const [of, at] = this.#values([node, key]) as [Part, Part]; // of two nodes
    if (!canBe('map', of.type) && !canBe('list', of.type)) this.#refuse(`a value of the type ${of.type} has no items`);
    const read: Closure = (scope) => {
      const value = of.raw(scope);
      const index = at.read(scope);
      if (index instanceof Failure) return noOverload('item', value, index);
      const isIndex = Array.isArray(value) && isNumeric(index) && typeof asInt(index) === 'bigint';
      if (!isIndex && !isMap(value)) return noOverload('item', value, index);
      const item = isIndex ? (value as List)[Number(index)] : valueAt(value as AnyMap, index); // just checked
      if (item !== undefined) return item;
      return typeof index === 'string' ? noMember(index) : NO_ITEM;
    };
    return place(read, of.shape?.item() ?? null, null);
  }

  #list(nodes: readonly ASTNode[]): Part {
    const items = this.#values(nodes).map(({ read }) => read);
    return made('list', (scope) => {
      const values = items.map((read) => read(scope));
      return values.find((one) => one instanceof Failure) ?? values;
    });
  }

  #map(entries: readonly (readonly [ASTNode, ASTNode])[]): Part {
    const parts = entries.map((entry) => this.#values(entry).map(({ read }) => read) as [Closure, Closure]); // of two nodes
    return made('map', (scope) => {
      const map = new Map<unknown, unknown>();
      for (const [readKey, readValue] of parts) {
        const key = asKey(readKey(scope));
        const value = key instanceof Failure ? key : readValue(scope);
        if (value instanceof Failure) return value;
        if (map.has(key)) return new Failure('a key of a map is there twice');
        map.set(key, value);
      }
      return map;
    });
  }

  #conditional([test, yes, no]: readonly [ASTNode, ASTNode, ASTNode]): Part {
    const { read } = this.#typed(test, '?:', 'bool');
    const [a, b] = this.#values([yes, no]) as [Part, Part]; // of two nodes
    return made(a.type === b.type ? a.type : 'dyn', (scope) => {
      const asked = read(scope);
      return asked === true ? a.read(scope) : asked === false ? b.read(scope) : noOverload('?:', asked);
    });
  }

  #logical(by: '&&' | '||', nodes: readonly [ASTNode, ASTNode]): Part {
    const [left, right] = nodes.map((node) => this.#typed(node, by, 'bool').read) as [Closure, Closure]; // of two nodes
    const ending = by === '||';
    return made('bool', (scope) => {
      const a = left(scope);
      if (a === ending) return ending;
      const b = right(scope);
      if (b === ending) return ending;
      return a !== !ending ? noOverload(by, a) : b !== !ending ? noOverload(by, b) : b;
    });
  }

  /** An operator, or a function, of one or two values. */
  #applied(name: string, parts: readonly Part[]): Part {
    const overloads = OVERLOADS.get(name)!; // the operators have some, and those of a function were looked up
    const [of, other] = parts as readonly [Part, Part?];
    const fitting = overloads.filter((one) => isFor(one, of.type, other?.type));
    const gives = fitting.every((one) => one.gives === fitting[0]!.gives) ? fitting[0]?.gives : 'dyn';
    const by = name.replace('_', '');
    if (gives === undefined) return this.#refuse(`there is no ${by} for ${wrongOf(name, parts)}`);
    const isComparison = COMPARISONS.includes(name);
    const [x, y] = parts.map(({ read, raw }) => (isComparison ? raw : read)) as [Closure, Closure?];
    const ofNumbers = OF_NUMBERS[name];
    const steps = this.#options.steps;
    return made(gives, (scope) => {
      const a = x(scope);
      const b = y?.(scope);
      if (ofNumbers !== undefined && typeof a === 'number' && typeof b === 'number') return ofNumbers(a, b);
      if (a instanceof Failure || b instanceof Failure) return noOverload(by, a, b);
      const typeA = typeOf(a);
      const typeB = y && typeOf(b);
      const overload = overloads.find((one) => isFor(one, typeA, typeB));
      const value = overload?.apply(a as never, b as never, steps); // of its types
      return value ?? noOverload(by, ...(y === undefined ? [a] : [a, b]));
    });
  }

  #call(name: string, receiver: ASTNode | null, args: readonly ASTNode[]): Part {
    if (name === 'has' && receiver === null) return this.#has(args);
    if (receiver !== null && MACROS.includes(name)) return this.#macro(name, receiver, args);
    const all = receiver === null ? args : [receiver, ...args];
    if (name === 'matches') return this.#matches(all);
    const overloads = OVERLOADS.get(name);
    if (overloads === undefined || (name !== 'size' && METHODS.includes(name) !== (receiver !== null)))
      return this.#unknown(name, receiver === null);
    if (!overloads.some(({ takes }) => takes.length === all.length))
      this.#refuse(`${name} has another number of arguments`);
    const parts = name === 'size' ? [this.#counted(all[0]!)] : this.#values(all);
    const [{ raw, shape, origin }, zone] = parts as [Part, Part?]; // as counted
    // The digits of a number of the payload are those that are written.
    const isWritten = name === 'int' && origin === 'place';
    const result = this.#applied(name, isWritten ? [{ ...parts[0]!, read: withInts(raw) }] : parts);
    const isZone = GETTER_NAMES.includes(name) && zone?.origin === 'constant';
    const offset = isZone ? secondsOfOffset(zone.read([]) as string) : 0; // a text, by its type
    if (offset instanceof Failure) this.#refuse(`${name}(${printed(all[1]!)}): ${offset.why}`);
    if (name === 'sum' && shape?.item()?.isInteger === true) return place(result.read, shape.item(), null);
    if (parts.some((part) => part.origin !== 'constant')) return result;
    const value = result.read([]);
    if (value instanceof Failure) return this.#refuse(`${name}(${all.map(printed).join(', ')}): ${value.why}`);
    return constant(value, result.type);
  }

  #unknown(name: string, isCall: boolean): never {
    if (OUT.includes(name)) return this.#refuse(`checks have no ${name}`);
    if (OVERLOADS.has(name)) return this.#refuse(isCall ? `write value.${name}()` : `write ${name}(value)`);
    const guess = guessed(name, [...FUNCTION_NAMES, ...MACROS, 'has', 'matches']);
    return this.#refuse(`there is no function ${quote(name)}${guess}`);
  }

  #matches([text, pattern, ...others]: readonly ASTNode[]): Part {
    if (text === undefined || pattern?.op !== 'value' || typeof pattern.args !== 'string' || others.length > 0)
      return this.#refuse('the argument of matches must be a text that is written out');
    const { read } = this.#typed(text, 'matches', 'string');
    const steps = this.#options.steps;
    const { matches, reason } = matcherOf(pattern.args);
    if (matches === null)
      return this.#refuse(`the pattern ${visible(quote(pattern.args))} cannot be used: ${visible(reason)}`);
    return made('bool', (scope) => {
      const value = read(scope);
      if (typeof value !== 'string') return noOverload('matches', value);
      steps.takeText(value.length);
      return matches(value);
    });
  }

  #macro(name: string, receiver: ASTNode, [variable, ...bodies]: readonly ASTNode[]): Part {
    const isMap = name === 'map';
    if (variable?.op !== 'id' || bodies.length < 1 || bodies.length > (isMap ? 2 : 1))
      return this.#refuse(`${name} takes a name and an expression, such as self.lines.${name}(line, line.price > 0)`);
    const { raw, shape } = this.#typed(receiver, name, 'list', 'map');
    const slot = this.#slots++;
    const outside = this.#names;
    this.#names = new Map(outside).set(variable.args, { slot, shape: shape?.item() ?? null });
    const test = isMap && bodies.length === 1 ? null : this.#typed(bodies[0]!, name, 'bool').read;
    const to = isMap ? this.value(bodies.at(-1)!).read : null;
    this.#names = outside;
    const loop = { name, read: raw, slot, steps: this.#options.steps };
    if (name === 'all' || name === 'exists') return made('bool', quantifier(loop, test!, name === 'exists')); // not a map
    const read = list(loop, test, to);
    if (name !== 'exists_one') return { ...made('list', read), shape: isMap ? null : shape };
    return made('bool', (scope) => {
      const kept = read(scope);
      return Array.isArray(kept) ? kept.length === 1 : kept;
    });
  }
}

const NO_ITEM = new Failure('there is no such item');

function noMember(name: string, hint: string | null = null): Failure {
  return new Failure(`there is no member ${quote(name)}`, hint);
}

/** The types that an operator has not, or the first one that a function has not. */
function wrongOf(name: string, parts: readonly Part[]): string {
  const types = parts.map(({ type }) => type);
  if (!FUNCTION_NAMES.includes(name)) return types.join(' and ');
  return types.find((type, i) => !OVERLOADS.get(name)!.some(({ takes }) => canBe(takes[i], type)))!; // there is one
}

const constant = (value: unknown, type: Type): Part => {
  const raw = typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return { read: () => value, raw: () => raw, type, shape: null, origin: 'constant', path: null };
};

const made = (type: Type, read: Closure): Part => ({ read, raw: read, type, shape: null, origin: 'made', path: null });

/** A value of the payload, or of what expressions have made; its numbers are ints if the schema says so. */
function place(raw: Closure, shape: Shape | null, path: Part['path']): Part {
  return { read: shape?.isInteger === true ? withInts(raw) : raw, raw, type: 'dyn', shape, origin: 'place', path };
}

function withInts(raw: Closure): Closure {
  return (scope) => {
    const value = raw(scope);
    return isNumeric(value) ? asInt(value) : value;
  };
}

/** A place as it can be written in a hint; `…`: it is none. */
function printed(node: ASTNode): string {
  if (node.op === 'value') return node.input.slice(node.start, node.end);
  if (node.op === 'id') return node.args;
  if (node.op === '.') return `${printed(node.args[0])}.${node.args[1]}`;
  return node.op === '[]' ? `${printed(node.args[0])}[${printed(node.args[1])}]` : '…';
}
