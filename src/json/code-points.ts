/** Texts by their code points, of which UTF-16 has one or two units each. Half of a character is no part of a text. */

/** In code points. */
export function lengthOf(text: string): number {
  let pairs = 0;
  for (let i = 1; i < text.length; i++) if (isInside(text, i)) pairs++;
  return text.length - pairs;
}

/** Whether index `at` is between the two halves of a character. */
function isInside(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/** Negative if `a` is before `b`. The order of UTF-16 has U+FFFF after those beyond. */
export function compareTexts(a: string, b: string): number {
  const least = Math.min(a.length, b.length);
  let i = 0;
  while (i < least && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === least) return a.length - b.length;
  const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
  if (x < 0xd800 && y < 0xd800) return x - y;
  const from = i > 0 && (a.charCodeAt(i - 1) & 0xfc00) === 0xd800 ? i - 1 : i;
  return a.codePointAt(from)! - b.codePointAt(from)! || x - y;
}

export function startsWith(text: string, part: string): boolean {
  return text.startsWith(part) && !isInside(text, part.length);
}

export function endsWith(text: string, part: string): boolean {
  return text.endsWith(part) && !isInside(text, text.length - part.length);
}

/** Parts of this length are found by Knuth, Morris and Pratt: `includes` can take quadratic time for them. */
const LONG = 64;

export function contains(text: string, part: string): boolean {
  if (part.length > text.length || (part.length < LONG && part.isWellFormed())) return text.includes(part);
  const back = new Int32Array(part.length);
  const next = (matched: number, code: number): number => {
    let from = matched;
    while (from > 0 && part.charCodeAt(from) !== code) from = back[from - 1]!;
    return part.charCodeAt(from) === code ? from + 1 : 0;
  };
  for (let i = 1; i < part.length; i++) back[i] = next(back[i - 1]!, part.charCodeAt(i));
  for (let i = 0, matched = 0; i < text.length; i++) {
    matched = next(matched, text.charCodeAt(i));
    if (matched === part.length && !isInside(text, i + 1) && !isInside(text, i + 1 - matched)) return true;
  }
  return false;
}
