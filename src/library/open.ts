/**
 * `openPaylint`: loads the schemas and makes all parts of an instance. The parts for `fill` are made when they are
 * first needed: only they refuse a default that its own schema does not allow.
 */

import { compileAcceptCode } from '../engine/compilers.ts';
import { type ExamineOptions, Examiner } from '../engine/judge/examine.ts';
import { Judge, loadJudgeModules } from '../engine/judge/judge.ts';
import { judgedKindsWith } from '../engine/judge/judged-kinds.ts';
import { ALLOWS_ALL } from '../engine/judge/sites.ts';
import { FILLED_TEXTS } from '../engine/supply.ts';
import { linesOf } from '../errors.ts';
import { allowsDefault, createFilling, readDefaultsWith } from '../fill/defaults.ts';
import { isInPlace, PRECOMPILED } from '../package.ts';
import { DEFAULT_LIMITS } from '../run/check/flow.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import { withoutFormats } from '../schema/set.ts';
import { strictError, suspect } from '../schema/suspect.ts';
import { once } from '../source/on-demand.ts';
import { MOST_PAYLOAD_BYTES } from '../types.ts';
import type { Paylint, PaylintOptions } from './api.ts';
import { knownKind, requireOptions, wholeNumber } from './inputs.ts';
import { type Fillers, fileRulesOf, settingsOf } from './instance-settings.ts';
import { PaylintInstance } from './paylint.ts';
import { readySchemas } from './source-workspace.ts';
import { TextFiller } from './text-filler.ts';

/**
 * Loads the config and the schemas. Throws SchemaError for a schema that cannot be used, and UsageError for an unknown
 * kind or option, for a config or a baseline that cannot be used, and for invalid arguments.
 */
export async function openPaylint(given: PaylintOptions = {}): Promise<Paylint> {
  requireOptions('openPaylint', given);
  const settings = await settingsOf(given);
  const { options, isBundled, rules } = settings;
  const precompiled = isBundled && isInPlace() ? PRECOMPILED : null;
  const more = [...new Set([...settings.more, ...settings.own.map(({ schema }) => schema)])];
  const loaded = loadSchemas(settings.schema, settings.resources, more);
  const set = options.assertFormats === false ? withoutFormats(loaded) : loaded;
  const warnings = isBundled ? [] : warningsOf(set, options.strictSchema === true);
  const kind = knownKind(set, options.kind);
  for (const one of settings.config?.kinds ?? []) knownKind(set, one.kind);
  const { checks = [], relations = [] } = settings.checks ?? {};
  const checking = settings.checks === null ? null : await loadChecks();
  const remarks = checking?.requireChecks(settings.checks!, set) ?? [];
  const limits = {
    maxBytes: wholeNumber('maxPayloadBytes', options.maxPayloadBytes ?? DEFAULT_LIMITS.maxBytes, MOST_PAYLOAD_BYTES),
    maxDepth: wholeNumber('maxDepth', options.maxDepth ?? DEFAULT_LIMITS.maxDepth, Number.POSITIVE_INFINITY),
    redact: options.redact === true,
    ...(checks.length === 0 ? {} : { checks }),
  };
  const modules = await loadJudgeModules(set);
  const allows = isBundled ? ALLOWS_ALL : allowsDefault(set, new Judge(modules));
  const kinds = judgedKindsWith(set, new Judge(modules), allows);
  const checker: Pick<ExamineOptions, 'checker'> =
    checking === null || checks.length === 0 ? {} : { checker: new checking.Checker(checks, limits.redact) };
  const examining: ExamineOptions = { ...limits, ...checker };
  const examiner = new Examiner(kinds, examining);
  // Throws SchemaError for defaults that their own schemas reject. The bundled ones are known to be valid.
  const fillers = (isDeep: boolean): Fillers => {
    const texts = readDefaultsWith(kinds.judge, set, isDeep, precompiled !== null);
    return {
      examiner: new Examiner(kinds, examining, createFilling(set, kinds, texts)),
      filler: new TextFiller({ limits, first: FILLED_TEXTS, accept: once(() => compileAcceptCode(set, kind, texts)) }),
    };
  };
  return new PaylintInstance({
    set,
    warnings: [...settings.warnings, ...warnings, ...remarks],
    kind,
    limits,
    relations,
    areBundled: isBundled,
    judging: { rules, advice: options.advice === true },
    files: await fileRulesOf(settings, set),
    baseline: settings.baseline,
    reading: settings.reading,
    schemas: readySchemas(set, allows, precompiled),
    examiner,
    finder: new Examiner(kinds, { ...examining, syntaxOnly: true }),
    fillers: { shallow: once(() => fillers(false)), deep: once(() => fillers(true)) },
  });
}

/** Loaded only if there are checks. */
async function loadChecks() {
  const [{ Checker }, { requireChecks }] = await Promise.all([
    import('../checks/checker.ts'),
    import('../checks/require.ts'),
  ]);
  return { Checker, requireChecks };
}

/** Throws SchemaError for a schema that accepts everything by mistake, and for warnings if they are errors. */
function warningsOf(set: LoadedSchemas, areErrors: boolean): readonly string[] {
  const warnings = suspect(set);
  if (areErrors && warnings.length > 0) throw strictError(set, warnings);
  return linesOf(warnings);
}
