/** Violations where no payload could be cut: no JSON text begins there, it is too large, or it is not UTF-8. */
import type { Examined } from '../../engine/judge/examine.ts';
import { examinedAs } from '../../engine/judge/judged.ts';
import { builtin, byteFinding, syntaxFinding } from '../../engine/judge/payload-findings.ts';
import { COLON, QUOTE, skipSpace } from '../../json/skip.ts';
import { byteOrderMark, firstInvalidUtf8, LFS_BYTES } from '../../json/utf8.ts';
import type { Cutter } from '../../source/framing.ts';
import type { Window } from '../../source/window.ts';
import type { Finding, Span } from '../../types.ts';
import { SHOWS_ALL, type Wording } from '../../words/rule.ts';

/** Most bytes of a character. */
const CHARACTER_BYTES = 4;

/** The payload at `start` is too large. */
export function tooLarge(start: number, limit: number): Examined {
  const finding = builtin('payload-too-large', { limit }, { start, end: start + 1 }, { params: { limit } });
  return examined(finding, true);
}

/** The bytes that `cutter` found between payloads are not allowed there. */
export function betweenPayloads({ start, expected }: Cutter, window: Window, wording: Wording): Examined {
  const { bytes, base, end } = window;
  const isUtf8 = start === end || firstInvalidUtf8(bytes, start, Math.min(end, start + CHARACTER_BYTES)) !== start;
  const finding = isUtf8
    ? syntaxFinding({ bytes, base, from: 0, to: end, at: start, expected }, 'text', wording)
    : byteFinding({ bytes, base, at: start, to: end }, false, wording);
  return examined(finding, false);
}

/** The source is in another encoding. */
export function notUtf8(encoding: string): Examined {
  return examined(builtin('json-encoding', { encoding }, { start: 0, end: 1 }, { params: { encoding } }), false);
}

/** The source is only a Git LFS pointer. */
export function lfsPointer({ bytes, base, start, end }: Window): Examined {
  const where = { bytes, base, from: start, to: Math.min(end, start + LFS_BYTES), at: start };
  return examined(syntaxFinding({ ...where, expected: 'a value' }, 'text', SHOWS_ALL), false);
}

/** The same for a source that is YAML by its name: the fault is the format, not the byte that is not JSON. */
export function inYaml(examined: Examined): Examined {
  // A syntax error is the only finding of its payload.
  const [finding] = examined.findings;
  if (finding?.rule !== 'json-syntax') return examined;
  const params = { cause: 'yaml', expected: finding.params.expected } as const;
  const facts = { ...params, ending: 'text', found: null } as const;
  return { ...examined, findings: [builtin('json-syntax', facts, finding.span, { params })] };
}

/** The violation of a string that begins the source and is a member name outside an object; null: it is none. */
export function bareMember({ bytes, base, end }: Window, span: Span, wording: Wording): Examined | null {
  const at = skipSpace(bytes, span.end, end);
  const begins = base === 0 && skipSpace(bytes, byteOrderMark(bytes), span.start) === span.start;
  if (!begins || bytes[span.start] !== QUOTE || at === end || bytes[at] !== COLON) return null;
  const fault = { bytes, base, from: span.start, to: end, at, expected: 'the end' } as const;
  return examined(syntaxFinding(fault, 'text', wording), false);
}

/** A record that is well formed as far as it goes, but may go on: RFC 7464, section 2.4. `end`: of its text. */
export function cutOff({ end }: Span): Examined {
  const params = { cause: 'cut-off', expected: 'white space after the value' } as const;
  const facts = { ...params, ending: 'text', found: '' } as const;
  return examined(builtin('json-syntax', facts, { start: end, end }, { params }), false);
}

function examined(finding: Finding, wellFormed: boolean): Examined {
  return examinedAs({ findings: [finding], wellFormed });
}
