/**
 * `openPaylint`: loads the schemas and makes all parts of an instance. The parts for `fill` are made when they are
 * first needed: only they refuse a default that its own schema does not allow.
 */
import { fileRules, NO_FILE_RULES } from '../config/config-schemas.ts';
import { compileAcceptCode } from '../engine/compilers.ts';
import { type ExamineOptions, Examiner } from '../engine/judge/examine.ts';
import { Judge, loadJudgeModules } from '../engine/judge/judge.ts';
import { judgedKindsWith } from '../engine/judge/judged-kinds.ts';
import { ALLOWS_ALL } from '../engine/judge/sites.ts';
import { linesOf } from '../errors.ts';
import { once } from '../json/on-demand.ts';
import { isInPlace, PRECOMPILED } from '../package.ts';
import { allowsDefault, createFilling, readDefaultsWith } from '../repair/defaults.ts';
import { createPruning } from '../repair/pruner.ts';
import { DEFAULT_LIMITS } from '../run/check/flow.ts';
import { loadSchemas } from '../schema/load.ts';
import { kindFiles, withoutFormats } from '../schema/set.ts';
import { strictError, suspect } from '../schema/suspect.ts';
import { MOST_PAYLOAD_BYTES } from '../types.ts';
import type { Paylint, PaylintOptions } from './api.ts';
import { knownKind, requireOptions, wholeNumber } from './inputs.ts';
import { type Fillers, settingsOf } from './instance-settings.ts';
import { PaylintInstance } from './paylint.ts';
import { readySchemas } from './source-workspace.ts';
import { TextFiller } from './text-filler.ts';

/** Throws SchemaError for a schema that cannot be used, and UsageError for other arguments and files that cannot be. */
export function openPaylint(given: PaylintOptions = {}): Promise<Paylint> {
  return openInstance(given);
}

/** The same, for what else paylint has to know of an instance. */
export async function openInstance(given: PaylintOptions): Promise<PaylintInstance> {
  requireOptions('openPaylint', given);
  const settings = await settingsOf(given);
  const { options, config, own, isBundled, rules } = settings;
  const precompiled = isBundled && isInPlace() ? PRECOMPILED : null;
  const more = [...new Set([...settings.more, ...own.map(({ schema }) => schema)])];
  const loaded = loadSchemas(settings.schema, settings.resources, more);
  const set = options.assertFormats === false ? withoutFormats(loaded) : loaded;
  const warnings = isBundled ? [] : suspect(set);
  if (options.strictSchema === true && warnings.length > 0) throw strictError(set, warnings);
  const kind = knownKind(set, options.kind);
  for (const one of config.kinds) knownKind(set, one.kind);
  const { checks = [], relations = [] } = settings.checks ?? {};
  const remarks =
    settings.checks === null ? [] : (await import('../checks/require.ts')).requireChecks(settings.checks, set);
  const limits = {
    maxBytes: wholeNumber('maxPayloadBytes', options.maxPayloadBytes ?? DEFAULT_LIMITS.maxBytes, MOST_PAYLOAD_BYTES),
    maxDepth: wholeNumber('maxDepth', options.maxDepth ?? DEFAULT_LIMITS.maxDepth, Number.POSITIVE_INFINITY),
    redact: options.redact === true,
    ...(checks.length === 0 ? {} : { checks }),
  };
  const modules = await loadJudgeModules(set);
  const allows = isBundled ? ALLOWS_ALL : allowsDefault(set, new Judge(modules));
  const kinds = judgedKindsWith(set, new Judge(modules), allows);
  const checker = checks.length === 0 ? null : (await import('../checks/checker.ts')).Checker;
  const examining: ExamineOptions = {
    ...limits,
    ...(checker === null ? {} : { checker: new checker(checks, limits.redact) }),
  };
  const examiner = new Examiner(kinds, examining);
  // Throws SchemaError for defaults that their own schemas reject. The bundled ones are known to be valid.
  const fillers = (isDeep: boolean): Fillers => {
    const texts = readDefaultsWith(kinds.judge, set, isDeep, precompiled !== null);
    return {
      examiner: new Examiner(kinds, examining, createFilling(set, kinds, texts)),
      filler: new TextFiller(
        once(() => compileAcceptCode(set, kind, texts)),
        limits,
      ),
    };
  };
  return new PaylintInstance({
    set,
    warnings: [...settings.warnings, ...linesOf(warnings), ...remarks],
    kind,
    limits,
    relations,
    areBundled: isBundled,
    judging: { rules, advice: options.advice === true },
    files: config.path === null ? NO_FILE_RULES : await fileRules(config, own, async () => kindFiles(set)),
    baseline: settings.baseline,
    reading: settings.reading,
    schemas: readySchemas(set, allows, precompiled),
    examiner,
    finder: new Examiner(kinds, { ...examining, syntaxOnly: true }),
    pruner: once(() => new Examiner(kinds, { ...examining, pruning: createPruning(set, kinds) })),
    fillers: { shallow: once(() => fillers(false)), deep: once(() => fillers(true)) },
  });
}
