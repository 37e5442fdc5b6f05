/**
 * The keywords that lead to the items of an array.
 */
import { wanted } from '../../keywords/wanted.ts';
import { evaluatedItems } from './evaluated.ts';
import { assertion, type Fault, type MakeStep, type Step } from './walk.ts';

/** `prefixItems` and `items`. */
export const items: MakeStep = (making) => {
  const { node, walk, stepOf, fault } = making;
  const first = (node.prefixItems ?? []).map((schema, i) => stepOf(schema, 'prefixItems', i));
  const isClosed = node.prefixItems !== undefined && node.items === false;
  const rest = isClosed || node.items === undefined ? null : stepOf(node.items, 'items');
  const limit = first.length;
  const isShort = assertion(
    making,
    fault({ rule: 'items', params: { limit } }),
    (value) => !isClosed || (value as unknown[]).length <= limit, // asked of arrays only
  );
  return (value) => {
    const list = value as readonly unknown[]; // as above
    const end = rest === null ? Math.min(limit, list.length) : list.length;
    let holds = true;
    for (let i = 0; i < end; i++) {
      const step = i < limit ? first[i]! : rest!;
      // Without a function in between, each level of a payload takes less of the stack.
      walk.enter(i);
      const isRight = step(list[i]);
      walk.leave();
      if (isRight) continue;
      if (walk.isQuiet) return false;
      holds = false;
    }
    return isShort(value) && holds;
  };
};

export const contains: MakeStep = (making) => {
  const { node, walk, stepOf } = making;
  const { minContains = 1, maxContains } = node;
  const step = stepOf(node.contains!, 'contains');
  const isMatch: Step = (item) => walk.test(step, item);
  const words = wanted(node.contains);
  const limits = maxContains === undefined ? { minContains } : { minContains, maxContains };
  const params = { ...limits, ...(words === null ? {} : { wanted: words }) };
  const tooMany = making.fault({ rule: 'contains', params });
  const tooFew = new Map<number, Fault>();
  const faultFor = (found: number): Fault => {
    const fault = tooFew.get(found) ?? making.fault({ rule: 'contains', params: { ...params, found } });
    tooFew.set(found, fault);
    return fault;
  };
  const most = maxContains ?? Number.POSITIVE_INFINITY;
  return (value) => {
    let count = 0;
    const list = value as readonly unknown[]; // asked of arrays only
    for (let i = 0; i < list.length && count <= most; i++) if (walk.visit(isMatch, i, list[i])) count++;
    if (count < minContains) return walk.tell(faultFor(count), value);
    return count <= most || walk.tell(tooMany, value);
  };
};

export const unevaluatedItems: MakeStep = (making) => {
  const { node, walk, stepOf } = making;
  if (node.unevaluatedItems === true) return null;
  const step = node.unevaluatedItems === false ? null : stepOf(node.unevaluatedItems!, 'unevaluatedItems');
  const fault = making.fault({ rule: 'unevaluatedItems', params: { limit: 0, index: 0 } });
  return (value) => {
    const list = value as readonly unknown[]; // asked of arrays only
    const evaluated = evaluatedItems(making, list);
    const others = [...list.keys()].filter((i) => !evaluated.has(i));
    const known = list.length - others.length;
    let holds = true;
    for (const i of others) {
      if (walk.visit(step ?? ((item) => walk.tellItems(fault, item, [i, known])), i, list[i])) continue;
      if (walk.isQuiet) return false;
      holds = false;
    }
    return holds;
  };
};
