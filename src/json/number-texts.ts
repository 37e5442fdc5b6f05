/**
 * The numbers of JSON texts of which a double may lose digits, for keywords that compare numbers.
 */
import { jsonNumber } from './decimal.ts';

/** A double keeps 15 digits of any number, and numbers smaller than 1e-308 lose digits or become 0. */
const LONG = /(?:\d\.?){16}|[eE]-\d{3}/;
/** A string, or a number. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** The numbers of one text. */
export interface NumberTexts {
  /**
   * A copy of a value of the text, or of that value with more members, with `Decimal`s in place of long numbers, unless
   * a double has the same value.
   */
  exact(value: unknown): unknown;
}

/** For a JSON text. Undefined if doubles print all of its numbers unchanged. */
export function numberTexts(text: string): NumberTexts | undefined {
  const texts = withNumberTexts(text);
  return texts === null ? undefined : { exact: (value) => withDecimals(value, texts) };
}

/** The value of a JSON text with strings in place of its long numbers; null: there are none. */
export function withNumberTexts(text: string): unknown {
  let isAny = false;
  const marked = replaceLong(text, (number) => {
    isAny = true;
    return `"${number}"`;
  });
  return isAny ? JSON.parse(marked) : null;
}

/** The value of a JSON text, with its numbers exactly as written. */
export function exactValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return numberTexts(text)?.exact(value) ?? value;
}

function replaceLong(text: string, replacement: (number: string) => string): string {
  if (!LONG.test(text)) return text;
  return text.replace(TOKENS, (token) =>
    token[0] === '"' || !LONG.test(token) ? token : replacement(token),
  );
}

type Container = Record<string, unknown>;

/**
 * `value` with `Decimal`s where `texts`, the same value, has texts in place of numbers. Not recursive, because payloads
 * may be deep.
 */
function withDecimals(value: unknown, texts: unknown): unknown {
  const root = { value };
  const waiting: [copy: Container, texts: Container][] = [[root, { value: texts }]];
  for (const [copy, parallel] of waiting) {
    for (const name of Object.keys(copy)) {
      const inner = copy[name];
      const text = Object.hasOwn(parallel, name) ? parallel[name] : undefined;
      if (typeof inner === 'number' && typeof text === 'string') copy[name] = jsonNumber(text);
      if (!isContainer(inner) || !isContainer(text)) continue;
      const innerCopy = (Array.isArray(inner) ? [...inner] : { ...inner }) as Container; // arrays have own names, too
      copy[name] = innerCopy;
      waiting.push([innerCopy, text]);
    }
  }
  return root.value;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
