/**
 * The names of members in an expression, compared with the schema before the first payload: a name that a closed object
 * cannot have is an error, and one that is nearly that of a member a warning.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import { quote } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { MACROS } from './expression.ts';
import type { Shape } from './shape.ts';

export interface NameFault {
  readonly text: string;
  /** The schema allows no such member. */
  readonly isError: boolean;
}

/** `self`: the shape of the value that the expression is about; null: it is not known. */
export function nameFaults(ast: ASTNode, self: Shape | null): NameFault[] {
  const faults: NameFault[] = [];
  const visit = (node: ASTNode, scope: ReadonlyMap<string, Shape | null>): Shape | null => {
    const inner = (one: ASTNode): Shape | null => visit(one, scope);
    switch (node.op) {
      case 'value':
        return null;
      case 'id':
        return scope.get(node.args) ?? null;
      case '.':
        return memberOf(inner(node.args[0]), node.args[1], faults);
      case '[]': {
        const [object, key] = node.args;
        const shape = inner(object);
        inner(key);
        if (key.op !== 'value') return null;
        return typeof key.args === 'string' ? memberOf(shape, key.args, faults) : (shape?.item ?? null);
      }
      case 'rcall': {
        const [name, receiver, args] = node.args;
        const shape = inner(receiver);
        const [variable, ...rest] = args;
        const isMacro = MACROS.includes(name) && variable?.op === 'id';
        const inMacro = isMacro ? new Map(scope).set(variable.args, shape?.item ?? null) : scope;
        for (const one of isMacro ? rest : args) visit(one, inMacro);
        return name === 'filter' ? shape : null;
      }
      case 'call':
        for (const one of node.args[1]) inner(one);
        return null;
      case 'list':
        for (const one of node.args) inner(one);
        return null;
      case 'map':
        for (const [name, value] of node.args) [inner(name), inner(value)];
        return null;
      case '!_':
      case '-_':
        inner(node.args);
        return null;
      default:
        for (const one of node.args) if (typeof one !== 'string') inner(one);
        return null;
    }
  };
  visit(ast, new Map([['self', self]]));
  return faults;
}

/** Null: nothing is known of it. Adds a fault if the name is probably wrong. */
export function memberOf(shape: Shape | null, name: string, faults: NameFault[]): Shape | null {
  if (shape === null || shape.names.size === 0) return null;
  if (!shape.names.has(name)) {
    const near = nearMiss(name, [...shape.names]);
    const guess = near === null ? '' : `; did you mean ${quote(near)}?`;
    if (shape.isClosed || near !== null)
      faults.push({ text: `the schema has no member ${quote(name)}${guess}`, isError: shape.isClosed });
  }
  return shape.member(name);
}
