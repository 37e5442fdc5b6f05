/**
 * An engine that asks Ajv, in a thread, about each payload that another engine explains. What the two say differently
 * is the violation; a payload on which they agree has none.
 */
import { SchemaError, UsageError } from '../errors.ts';
import { locate } from '../json/locate.ts';
import { threadScript } from '../package.ts';
import { keywordsOfForm } from '../schema/dialect.ts';
import type { Finding, Span } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { Judging } from '../words/rule-levels.ts';
import { ajvSentence } from '../words/test-rules.ts';
import { AjvThread } from './ajv.ts';
import type { AjvAnswer, AjvError, AjvSchemas } from './ajv-judge.ts';
import type { Engine } from './engine.ts';
import type { Examined, PayloadBytes } from './judge/examine.ts';
import { judged } from './judge/judged.ts';

/**
 * `own`: explains each payload here; `schemas`: those that Ajv compiles, before anything else; `interrupt`: ends what takes long.
 * Throws UsageError where there are no threads, and SchemaError for schemas that Ajv cannot compile.
 */
export async function ajvEngine(
  own: Engine,
  schemas: AjvSchemas,
  judging: Judging,
  interrupt: AbortSignal,
): Promise<Engine> {
  const script = threadScript();
  if (script === null) throw new UsageError('--against ajv needs a thread, and there is no script for it');
  const ajv = new AjvThread(script, schemas, interrupt);
  try {
    await ajv.begin();
  } catch (error) {
    await ajv.close();
    if (!(error instanceof SchemaError)) throw error;
    throw new SchemaError(`--against ajv: ${error.message}`, { cause: error });
  }
  return {
    reader: own.reader,
    async explain(payload, givenKind, countsOnly) {
      const here = await own.explain(payload, givenKind, countsOnly);
      const { bytes, span } = payload;
      return compared(here, await ajv.judge(bytes.toString('utf8', span.start, span.end)), payload, judging);
    },
    async close() {
      await own.close();
      await ajv.close();
    },
  };
}

/** Rules that may compare numbers. */
const OF_NUMBERS: ReadonlySet<string> = new Set([
  ...keywordsOfForm('number', 'number above 0'),
  ...(['const', 'enum', 'type', 'uniqueItems'] as const),
]);

/** Bytes of a value that is searched for numbers. */
const MOST_TEXT = 65_536;

function compared(here: Examined, ajv: AjvAnswer, { span, bytes }: PayloadBytes, judging: Judging): Examined {
  const { findings, valid } = judged(here, judging);
  const byAjv = ajv?.valid === true;
  const { kind, wellFormed, fills } = here;
  const known = { kind, wellFormed, fills, hidden: [] };
  if (valid === byAjv) return { ...known, findings: [], outcome: valid ? 'valid' : 'invalid' };
  const errors = (ajv?.errors ?? []).map((one) => ({ ...one, message: visible(one.message) }));
  const params = { here: valid ? 'valid' : 'invalid', ajv: byAjv ? 'valid' : 'invalid' } as const;
  const place = { pointer: '', span, schema: null, fixable: false };
  const children = valid ? placed(errors, bytes, span) : findings;
  const rejected = children.map(({ rule, pointer, message, span: { start, end } }, i) => ({
    ...{ rule, pointer, message, besideRef: valid && errors[i]!.besideRef }, // one for each
    text: end - start > MOST_TEXT ? null : bytes.toString('utf8', start, end),
  }));
  const finding: Finding = {
    ...{ ...place, rule: 'compare/ajv', params, children },
    message: ajvSentence(params, rejected, OF_NUMBERS),
  };
  return { ...known, findings: [finding], outcome: valid ? 'healed' : 'broken' };
}

/** The errors of Ajv at the values that they are about. The payload is valid here, so it is well-formed. */
function placed(errors: readonly AjvError[], bytes: Buffer, span: Span): Finding[] {
  const pointers = errors.map(({ pointer }) => pointer);
  const located = locate(bytes, span.start, span.end, pointers);
  return errors.map(({ rule, pointer, message }) => {
    const at = located.get(pointer)?.value ?? span;
    const finding = { rule, pointer, message, params: {}, span: at, schema: null, fixable: false };
    return finding as Finding; // rules of Ajv have no params here
  });
}
