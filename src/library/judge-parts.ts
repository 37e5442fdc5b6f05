/** Loads schemas and makes the judge of an instance. Whatever else an instance has needs these. */
import { type ExamineOptions, Examiner } from '../engine/judge/examine.ts';
import { Judge, loadJudgeModules } from '../engine/judge/judge.ts';
import { type JudgedKinds, judgedKindsWith } from '../engine/judge/judged-kinds.ts';
import { ALLOWS_ALL, type AllowsDefault } from '../engine/judge/sites.ts';
import { allowsDefault } from '../repair/defaults.ts';
import { DEFAULT_LIMITS, type RuleLevels } from '../run/check/flow.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import type { ResourceOptions } from '../schema/resources.ts';
import { withoutFormats } from '../schema/set.ts';
import { requireAssertion } from '../schema/suspect.ts';
import { type Limits, MOST_PAYLOAD_BYTES } from '../types.ts';
import type { PaylintOptions } from './api.ts';
import { knownKind, wholeNumber } from './inputs.ts';
import type { JudgedParts } from './judged.ts';

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

export interface JudgeParts extends JudgedParts {
  readonly kinds: JudgedKinds;
  readonly allows: AllowsDefault;
  /** How payloads are examined: the limits, and what checks find. */
  readonly examining: ExamineOptions;
}

interface LoadedChecks extends Pick<Limits, 'checks'> {
  readonly checker?: NonNullable<ExamineOptions['checker']>;
}

/** `inspect`: looks at the schemas that were loaded, and returns the checks of a config. Throws SchemaError and UsageError. */
export async function judgeParts(
  { options, schema, more, resources, rules, isBundled }: JudgeSettings,
  inspect: (set: LoadedSchemas, redact: boolean) => Promise<LoadedChecks> = async () => ({}),
): Promise<JudgeParts> {
  const loaded = loadSchemas(schema, resources, more);
  const set = options.assertFormats === false ? withoutFormats(loaded) : loaded;
  if (!isBundled) requireAssertion(set);
  const redact = options.redact === true;
  const { checker, ...checks } = await inspect(set, redact);
  const kind = knownKind(set, options.kind);
  const limits = {
    maxBytes: wholeNumber('maxPayloadBytes', options.maxPayloadBytes ?? DEFAULT_LIMITS.maxBytes, MOST_PAYLOAD_BYTES),
    maxDepth: wholeNumber('maxDepth', options.maxDepth ?? DEFAULT_LIMITS.maxDepth, Number.POSITIVE_INFINITY),
    redact,
    ...checks,
  };
  const modules = await loadJudgeModules(set);
  const allows = isBundled ? ALLOWS_ALL : allowsDefault(set, new Judge(modules));
  const kinds = judgedKindsWith(set, new Judge(modules), allows);
  const examining = { ...limits, ...(checker === undefined ? {} : { checker }) };
  const judging = { rules, advice: options.advice === true };
  const examiner = new Examiner(kinds, examining);
  return { set, kind, limits, judging, kinds, allows, examining, examiner };
}
