/**
 * `compare --against ajv`: each payload is judged by Ajv as well, and reported if the two verdicts differ.
 */

import { lazyUnsure } from '../engine/accept.ts';
import { AjvThread } from '../engine/ajv.ts';
import type { AjvAnswer, AjvError, AjvSchemas } from '../engine/ajv-judge.ts';
import { createEngines, type Engines } from '../engine/engines.ts';
import type { Examined, PayloadBytes } from '../engine/judge/examine.ts';
import { SchemaError, UsageError } from '../errors.ts';
import { locate } from '../json/locate.ts';
import { threadScript } from '../package.ts';
import { checkSource } from '../run/check/check.ts';
import type { Judging, SourceChecker } from '../run/check/flow.ts';
import { judged } from '../run/check/reporting.ts';
import { keywordsOfForm } from '../schema/dialect.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import type { Io } from '../source/io.ts';
import type { Finding, Span } from '../types.ts';
import { visible } from '../words/escape.ts';
import { ajvSentence } from '../words/test-rules.ts';
import type { Settings } from './settings.ts';

/** The second judge of a run. */
export interface SecondJudge {
  readonly check: SourceChecker;
  readonly close: () => Promise<void>;
}

/** Throws UsageError, and SchemaError for schemas that Ajv cannot compile. */
export async function ajvJudge(settings: Settings, io: Io): Promise<SecondJudge> {
  const script = threadScript();
  if (script === null) throw new UsageError('--against ajv needs a thread, and there is no script for it');
  const set = await settings.files();
  const ajv = new AjvThread(script, ajvSchemas(set, settings), io.interrupt);
  try {
    await ajv.begin();
  } catch (error) {
    await ajv.close();
    if (!(error instanceof SchemaError)) throw error;
    throw new SchemaError(`--against ajv: ${error.message}`, { cause: error });
  }
  let engines: Engines | null = null;
  const load = async (): Promise<LoadedSchemas> => set;
  const check: SourceChecker = (source, flow) => {
    const { options, window } = flow;
    const accept = lazyUnsure(load);
    const schemas = { load, accept, precompiled: null, defaults: { texts: null } };
    engines ??= createEngines(schemas, options, window.memory, { interrupt: io.interrupt });
    const { acceptor, close, examine } = engines;
    const both: Engines['examine'] = async (payload, givenKind, countsOnly) => {
      const here = await examine(payload, givenKind, countsOnly);
      return compared(here, await ajv.judge(textOf(payload)), payload, options);
    };
    return checkSource(source, { ...flow, engines: { acceptor, close, examine: both, notes: () => null } });
  };
  const close = async (): Promise<void> => {
    await engines?.close();
    await ajv.close();
  };
  return { check, close };
}

/** Rules that may compare numbers. */
const OF_NUMBERS: ReadonlySet<string> = new Set([
  ...keywordsOfForm('number', 'number above 0'),
  ...(['const', 'enum', 'type', 'uniqueItems'] as const),
]);

function textOf({ bytes, span }: PayloadBytes): string {
  return bytes.toString('utf8', span.start, span.end);
}

/** The files as Ajv gets them. Throws SchemaError for a draft that Ajv does not have. */
function ajvSchemas({ root, documents, places }: LoadedSchemas, { flags }: Settings): AjvSchemas {
  const { name } = root.resource.draft;
  if (name === '4') throw new SchemaError('--against ajv: Ajv 8 does not have draft-04');
  const uriOf = (document: LoadedSchemas['documents'][number]): string =>
    places.get(document.schema as object)?.resource.uri ?? `file://${document.path}`;
  const files = documents
    .filter(({ schema }) => typeof schema === 'object')
    .map((document) => ({ uri: uriOf(document), text: Buffer.from(document.bytes).toString() }));
  const place = root.isFile ? '' : root.place.slice(root.place.indexOf('#'));
  const uri = uriOf(root.resource.document);
  return { draft: name, files, root: `${uri}${place}`, assertsFormats: flags.assertFormats !== false };
}

function compared(
  here: Examined,
  ajv: AjvAnswer,
  { span, bytes }: PayloadBytes,
  judging: Judging & { readonly redact: boolean },
): Examined {
  const { findings, valid } = judged(here, judging);
  const byAjv = ajv?.valid === true;
  const { kind, wellFormed, fills } = here;
  const known = { kind, wellFormed, fills, hidden: [] };
  if (valid === byAjv) return { ...known, findings: [], outcome: valid ? 'valid' : 'invalid' };
  const errors = (ajv?.errors ?? []).map((one) => ({ ...one, message: visible(one.message) }));
  const params = { here: valid ? 'valid' : 'invalid', ajv: byAjv ? 'valid' : 'invalid' } as const;
  const place = { pointer: '', span, schema: null, fixable: false, suggestion: null };
  const finding: Finding = {
    ...place,
    rule: 'compare/ajv',
    params,
    message: ajvSentence(params, valid ? errors : findings, OF_NUMBERS),
    children: valid ? placed(errors, bytes, span) : findings,
  };
  return { ...known, findings: [finding], outcome: valid ? 'healed' : 'broken' };
}

/** The errors of Ajv at the values that they are about. The payload is valid here, so it is well-formed. */
function placed(errors: readonly AjvError[], bytes: Buffer, span: Span): Finding[] {
  const pointers = errors.map(({ pointer }) => pointer);
  const located = locate(bytes, span.start, span.end, pointers);
  return errors.map(({ rule, pointer, message }) => {
    const at = located.get(pointer)?.value ?? span;
    const finding = {
      rule,
      pointer,
      message,
      params: {},
      span: at,
      schema: null,
      fixable: false,
      suggestion: null,
    };
    return finding as Finding; // rules of Ajv have no params here
  });
}
