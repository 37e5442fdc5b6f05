/**
 * How long RegExp can take for a pattern, counted without an automaton.
 */

/** A part of a pattern. */
interface Part {
  /** In how many ways it can be tried, its loops aside. */
  readonly ways: number;
  /** Repetitions of one character: each can end anywhere. */
  readonly loops: number;
}

/** A group that is not closed yet. */
interface OpenGroup {
  /** The alternatives before the present one. */
  before: Part;
  /** The present one, without its last part. */
  present: Part;
  /** The last part, to which a quantifier applies. */
  last: Part;
}

const NONE: Part = { ways: 0, loops: 0 };
const ONE: Part = { ways: 1, loops: 0 };
const ENDLESS: Part = { ways: Number.POSITIVE_INFINITY, loops: 0 };

/** A character, a class, a beginning of a group, a quantifier, or one of the other signs. */
const TOKENS = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\{\d+(?:,\d*)?\}\??|[*+?]\??|./gsu;
const REFERENCE = /\\[1-9k]/;
const COUNTED = /^\{(\d+)(,?)(\d*)\}/;

/**
 * The most ways in which RegExp can try to match a text, by its length in code units. The result can be much too large,
 * but is never too small. Infinity: a group is repeated without a limit, or the expression refers back to a group.
 */
export function waysToMatch(expression: string): (length: number) => number {
  const { ways, loops } = REFERENCE.test(expression) ? ENDLESS : wholeOf(expression);
  const hasOneStart = expression.startsWith('^') && !expression.includes('|');
  return (length) => {
    let all = hasOneStart ? ways : ways * (length + 1);
    // Each loop takes a part of the text: as many ways as to draw `loops` of `length + loops`.
    for (let loop = 1; loop <= loops; loop++) all *= (length + loop) / loop;
    return all;
  };
}

function wholeOf(expression: string): Part {
  const groups: OpenGroup[] = [opened()];
  for (const [token] of expression.matchAll(TOKENS)) {
    const group = groups.at(-1)!; // the outermost is never closed
    if (token.startsWith('(')) groups.push(opened());
    else if (token === ')' && groups.length > 1) {
      groups.pop();
      take(groups.at(-1)!, closed(group));
    } else if (token === '|')
      Object.assign(group, { ...opened(), before: either(group.before, alternative(group)) });
    else if (/^[*+?]|^\{\d/.test(token)) group.last = repeated(group.last, token);
    else take(group, ONE);
  }
  return closed(groups[0]!); // see above
}

function opened(): OpenGroup {
  return { before: NONE, present: ONE, last: ONE };
}

function take(group: OpenGroup, part: Part): void {
  group.present = alternative(group);
  group.last = part;
}

function alternative({ present, last }: OpenGroup): Part {
  return { ways: present.ways * last.ways, loops: present.loops + last.loops };
}

function either(a: Part, b: Part): Part {
  return { ways: a.ways + b.ways, loops: Math.max(a.loops, b.loops) };
}

function closed(group: OpenGroup): Part {
  return either(group.before, alternative(group));
}

function repeated({ ways, loops }: Part, quantifier: string): Part {
  if (quantifier.startsWith('?')) return { ways: ways + 1, loops };
  const [, least = '', comma = ',', most = ''] = COUNTED.exec(quantifier) ?? [];
  const times = Number(comma === '' ? least : most);
  const isOneCharacter = ways === 1 && loops === 0;
  if (comma !== '' && isOneCharacter) return { ways, loops: 1 };
  if (comma !== '' && most === '') return ENDLESS;
  return { ways: (comma === '' ? ways : ways + 1) ** times, loops: loops * times };
}
