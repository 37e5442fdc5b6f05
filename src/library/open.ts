/**
 * `openPaylint`: loads the schemas and makes all parts of an instance. The parts for `fill` are made when they are
 * first needed: only they refuse a default that its own schema does not allow.
 */
import { fileRules, NO_FILE_RULES } from '../config/settings.ts';
import { instanceEngines } from '../engine/instance.ts';
import { linesOf } from '../errors.ts';
import { isInPlace, PRECOMPILED } from '../package.ts';
import { kindFiles } from '../schema/set.ts';
import { strictError, suspicionsIn } from '../schema/suspect.ts';
import type { PaylintOptions } from './api.ts';
import { knownKind, requireOptions } from './inputs.ts';
import { settingsOf } from './instance-settings.ts';
import { judgeParts } from './judge-parts.ts';
import { PaylintInstance } from './paylint.ts';

/** Throws SchemaError for a schema that cannot be used, and UsageError for other arguments and files that cannot be. */
export async function openPaylint(given: PaylintOptions = {}): Promise<PaylintInstance> {
  requireOptions('openPaylint', given);
  const settings = await settingsOf(given);
  const { config, own, isBundled } = settings;
  const precompiled = isBundled && isInPlace() ? PRECOMPILED : null;
  const more = [...new Set([...settings.more, ...own.map(({ schema }) => schema)])];
  const { checks = [], relations = [] } = settings.checks ?? {};
  const warnings = [...settings.warnings];
  const parts = await judgeParts({ ...settings, more }, async (set, wording) => {
    const suspicions = isBundled ? [] : suspicionsIn(set);
    if (settings.options.strictSchema === true && suspicions.length > 0) throw strictError(set, suspicions);
    warnings.push(...linesOf(suspicions));
    for (const { kind } of config.kinds) knownKind(set, kind);
    if (settings.checks !== null)
      warnings.push(...(await import('../config/require-checks.ts')).requireChecks(settings.checks, set));
    if (checks.length === 0) return {};
    const { Checker } = await import('../checks/checker.ts');
    return { checks, checker: new Checker(checks, wording) };
  });
  const { set, kind, limits, judge } = parts;
  return new PaylintInstance({
    ...parts,
    warnings,
    relations,
    areBundled: isBundled,
    files: config.path === null ? NO_FILE_RULES : await fileRules(config, own, async () => kindFiles(set)),
    baseline: settings.baseline,
    reading: settings.reading,
    engines: instanceEngines({ set, kind, limits, judge, precompiled }),
  });
}
