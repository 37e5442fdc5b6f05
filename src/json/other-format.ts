/**
 * Texts that are not JSON but something else that people pass as payloads: another format, what git leaves in place of
 * a file, or JSON with a line of another format around it.
 */
import { isLfsPointer } from './head.ts';
import { scan } from './scan.ts';
import { firstLines, type Look, lineEnd, lineStart, type Rule, wantsValue } from './syntax-look.ts';
import type { SyntaxCause } from './vocabulary.ts';

/** `<<<<<<< HEAD`, `|||||||`, `=======` and `>>>>>>> branch`, which git writes at the beginning of a line. */
const conflict: Rule = (look) => {
  const { bytes, at } = look;
  if (lineStart(look) !== at) return null;
  const isMarker = /^(?:([<>|])\1{6}(?: |$)|={7}$)/.test(bytes.toString('latin1', at, lineEnd(look)));
  return isMarker ? { cause: 'merge-conflict', end: at + 7 } : null;
};

/** ```` ``` ```` or `~~~` around a block of code in Markdown. */
const fence: Rule = (look) => {
  const { bytes, at } = look;
  if (lineStart(look) !== at) return null;
  const isFence = /^(?:`{3,}|~{3,})[\w-]*$/.test(bytes.toString('latin1', at, lineEnd(look)));
  return isFence ? { cause: 'markdown', end: lineEnd(look) } : null;
};

/** A line of `text/event-stream`, and the first lines of one that has other fields before its data. */
const SSE_DATA = /^data: ?[{[]/;
const SSE_HEAD = /^(?:(?:event|id|retry|):[^\n]*\n|\r?\n)+data:|^event: ?[\w.-]+\s*$/;

const eventStream: Rule = (look) => {
  const { bytes } = look;
  const start = lineStart(look);
  if (start === null || !wantsValue(look)) return null;
  const isData = SSE_DATA.test(bytes.toString('latin1', start, lineEnd(look)));
  return isData || SSE_HEAD.test(firstLines(look) ?? '') ? { cause: 'event-stream' } : null;
};

/** A time, a date or a level, as most logs have before the message. */
const LOG_MARKS = /\d\d:\d\d|\d{4}-\d\d-\d\d|\b(?:trace|debug|info|notice|warn|warning|error|fatal)\b/i;

/** JSON texts that may be before another one on the same line. */
const SCALARS = /(?<![\w.:-])(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.:/-])/gi;

/** Candidates for the beginning of the JSON text on a line, at most. */
const OBJECTS = 3;

/** The text before an object that ends the line; null: there is no such object, or the text before it is only other JSON. */
function textBeforeObject(look: Look): string | null {
  const { bytes, at, expected } = look;
  const start = lineStart(look);
  const isBetweenTexts = wantsValue(look) || ['the end', 'a digit', '"," or "]"'].includes(expected);
  if (start === null || !isBetweenTexts) return null;
  const end = lineEnd(look);
  const line = bytes.toString('latin1', start, end);
  if (/^\s*(?:["{]|\/\/|\/\*|#)/.test(line)) return null;
  for (const { index } of [...line.matchAll(/\{\s*["}]/g)].slice(0, OBJECTS)) {
    if (start + index <= at) continue;
    const { fault } = scan(bytes, start + index, end, Number.POSITIVE_INFINITY);
    if (fault === null || fault.at >= end) return line.slice(0, index);
  }
  return null;
}

/** A plain key, a list, or a marker on the first line after comments. */
const YAML = /^(?:(?:---|%YAML)\s|- \S|[A-Za-z_][\w .@-]*:(?:\s|$))/;
/** A quoted key with a value that is not JSON, or, without a comma, before the next key or the end. */
const QUOTED_KEY = /^"(?:[^"\\\n]|\\.)*":(?=\s)/;
const YAML_VALUE =
  /^[ \t]*(?:(?!(?:true|false|null)\b)[A-Za-z]|(?:"[^"\n]*"|[^\s,{["][^,\n]*)?[ \t]*(?:\r?\n\s*(?:"[^"\n]*":|[\w-]+:|- )|\s*$))/;

/** The beginning of a source in another format. */
const beginning: Rule = (look) => {
  const { expected, bytes, base } = look;
  if (base === 0 && isLfsPointer(bytes)) return { cause: 'git-lfs' };
  if (!wantsValue(look) && expected !== 'the end' && expected !== 'a digit') return null;
  const head = firstLines(look);
  const cause = head === null ? null : formatOf(head);
  return cause === null ? null : { cause };
};

function formatOf(head: string): SyntaxCause | null {
  if (head.startsWith('<')) return /^<(?:!doctype\s+html|html|head|body)\b/i.test(head) ? 'html' : 'xml';
  const withoutComments = head.replace(/^(?:#[^\n]*\n\s*)+/, '');
  if (YAML.test(withoutComments) || isQuotedYaml(withoutComments)) return 'yaml';
  return isCsv(head) ? 'csv' : null;
}

function isQuotedYaml(text: string): boolean {
  const [key] = QUOTED_KEY.exec(text) ?? [];
  return key !== undefined && YAML_VALUE.test(text.slice(key.length));
}

/** Two lines with the same number of separators outside of quotes, and no bracket. */
function isCsv(head: string): boolean {
  const [first, second] = head.replace(/"[^"\n]*"/g, '').split(/\r?\n/);
  if (first === undefined || second === undefined || /[{}[\]]/.test(first)) return false;
  return [',', ';', '\t'].some((separator) => {
    const count = first.split(separator).length;
    return count > 1 && count === second.split(separator).length;
  });
}

const LINES: readonly Rule[] = [conflict, eventStream, fence];

/** The first format that fits is the cause. */
export const otherFormat: Rule = (look) => {
  for (const rule of LINES) {
    const named = rule(look);
    if (named !== null) return named;
  }
  const before = textBeforeObject(look);
  if (before !== null && LOG_MARKS.test(before)) return { cause: 'log-line' };
  // A YAML key may be before an object as well.
  const named = beginning(look);
  const isText = /[a-z]|\d[:/-]\d/i.test(before?.replace(SCALARS, '') ?? '');
  return named === null && isText ? { cause: 'log-line' } : named;
};
