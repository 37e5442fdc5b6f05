/** Loads schemas and makes the judge of an instance. Whatever else an instance has needs these. */

import type { ExamineSettings } from '../engine/compile/acceptor.ts';
import type { ExamineOptions } from '../engine/judge/examine.ts';
import { instanceJudge } from '../engine/judging.ts';
import { LARGEST_PAYLOAD_BYTES, PAYLOAD_BYTES, PAYLOAD_LEVELS } from '../limits.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import type { ResourceOptions } from '../schema/resources.ts';
import { asserting } from '../schema/set.ts';
import { requireAssertion } from '../schema/suspect.ts';
import type { Wording } from '../words/rule.ts';
import type { RuleLevels } from '../words/rule-levels.ts';
import type { PaylintOptions } from './api.ts';
import { knownKind, wholeNumber } from './inputs.ts';

export interface JudgeSettings {
  readonly options: Omit<PaylintOptions, 'schema' | 'schemas' | 'refs'>;
  /** Absolute paths: of the entry schema, and of schemas of kinds that are not detected. */
  readonly schema: string;
  readonly more: readonly string[];
  readonly resources: ResourceOptions;
  readonly rules: RuleLevels;
  /** The schemas are the bundled ones, of which nothing is warned. */
  readonly isBundled: boolean;
}

interface LoadedChecks extends Pick<ExamineSettings, 'checks'> {
  readonly checker?: NonNullable<ExamineOptions['checker']>;
}

/** `inspect`: looks at the schemas that were loaded, and returns the checks of a config. Throws SchemaError and UsageError. */
export async function judgeParts(
  { options, schema, more, resources, rules, isBundled }: JudgeSettings,
  inspect: (set: LoadedSchemas, wording: Wording) => Promise<LoadedChecks> = async () => ({}),
) {
  const loaded = loadSchemas(schema, resources, more);
  const set = asserting(loaded, options.assertFormats);
  if (!isBundled) requireAssertion(set);
  const wording = { redact: options.redact === true };
  const { checker, ...checks } = await inspect(set, wording);
  const kind = knownKind(set, options.kind);
  const limits = {
    maxBytes: wholeNumber('maxPayloadBytes', options.maxPayloadBytes ?? PAYLOAD_BYTES, LARGEST_PAYLOAD_BYTES),
    maxDepth: wholeNumber('maxDepth', options.maxDepth ?? PAYLOAD_LEVELS, Number.POSITIVE_INFINITY),
    ...{ ...wording, ...checks },
  };
  const judge = await instanceJudge(set, limits, isBundled, checker);
  const judging = { rules, advice: options.advice === true };
  return { set, kind, limits, judging, judge, examiner: judge.examiner };
}
