/** The checks of a config, or of the file that it names, and those that come with the kinds, read one by one. */
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { once } from '../json/on-demand.ts';
import { escapeToken } from '../json/pointer.ts';
import { AUTHORED_BYTES } from '../limits.ts';
import { bundledSchema } from '../package.ts';
import type { Check, Relation } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { guessed } from '../words/near.ts';
import type { RuleLevels } from '../words/rule-levels.ts';
import { faultsIn, jsonIn, refuseFaults } from './authored-file.ts';
import { type Config, inConfig } from './config.ts';
import { readNamed, requireInside } from './config-search.ts';
import type { PlacedChecks } from './require-checks.ts';

export interface OwnChecks extends PlacedChecks {
  /** The levels of their rules, unless the config has others. */
  readonly levels: RuleLevels;
}

/** The checks of the three kinds, which `--advice` turns on. */
const ADVICE = 'payload.checks.json';

/** `advice`: those of the three kinds, too, but for those that the config replaces. Throws UsageError. */
export async function readChecks(config: Config, advice: boolean): Promise<OwnChecks> {
  const own = config.checks === null ? [] : await listOf(config, config.checks);
  const file = { path: bundledSchema(ADVICE), name: ADVICE };
  const bundled = once(() => checksIn(jsonIn(readNamed(file.path, AUTHORED_BYTES, ADVICE), file), `${ADVICE}#`));
  for (const rule of Object.keys(config.rules).filter((name) => name.startsWith('check/'))) {
    const known = [...own, ...bundled()].flatMap(({ levels }) => levels.map(([name]) => name));
    if (known.includes(rule)) continue;
    const at = inConfig(config, `/rules/${escapeToken(rule)}`);
    throw new UsageError(`${at}there is no check ${quote(rule.slice('check/'.length))}${guessed(rule, known)}`);
  }
  const more = advice ? bundled() : [];
  const ids = new Set(own.map(({ check }) => check.id));
  const all = [...own, ...more.filter(({ check }) => !ids.has(check.id))];
  const places = new Map(all.map(({ check, place }) => [check, place]));
  return {
    checks: [...places.keys()].filter((one) => 'assert' in one),
    relations: [...places.keys()].filter((one) => 'to' in one),
    levels: Object.fromEntries(all.flatMap(({ levels }) => levels)),
    placeOf: (check) => places.get(check) ?? '',
  };
}

/** The list in the config was read with it. */
async function listOf(config: Config, checks: string | readonly unknown[]): Promise<PlacedCheck[]> {
  const at = inConfig(config, '/checks');
  if (typeof checks !== 'string') return checksIn(checks, at.slice(0, -2));
  requireInside(checks, config.folder, at);
  const file = { path: resolve(config.folder, checks), name: checks };
  const bytes = readNamed(file.path, AUTHORED_BYTES, `${at}cannot read ${visible(checks)}`);
  const list = jsonIn(bytes, file);
  refuseFaults(await faultsIn(bytes, 'checks'), 'the checks are', file);
  return checksIn(list, `${visible(checks)}#`);
}

interface PlacedCheck {
  readonly check: Check | Relation;
  readonly place: string;
  readonly levels: readonly (readonly [rule: string, level: 'error' | 'warning'])[];
}

/** `list`: fits the schema of checks. Throws UsageError. */
function checksIn(list: unknown, name: string): PlacedCheck[] {
  const ids = new Set<string>();
  return (list as readonly RawCheck[]).map((raw, i) => {
    const place = `${name}/${i}: `;
    const check = checkFrom(raw);
    if (ids.has(check.id)) throw new UsageError(`${place}there is a check ${quote(check.id)} before`);
    ids.add(check.id);
    const { severity = 'error', onError = 'warning' } = raw;
    return {
      check,
      place,
      levels: [
        [`check/${check.id}`, severity],
        [`check/${check.id}/evaluation`, onError],
      ],
    };
  });
}

/** A check as its schema describes it. */
type RawCheck = {
  readonly id: string;
  readonly kind?: string;
  readonly message?: string;
  readonly severity?: 'error' | 'warning';
  readonly onError?: 'error' | 'warning';
} & (
  | { readonly at?: string; readonly when?: string; readonly assert: string; readonly report?: string }
  | { readonly unique: string }
  | { readonly references: string; readonly to: { readonly kind?: string; readonly at: string } }
);

function checkFrom(raw: RawCheck): Check | Relation {
  const { id, kind = null, message = null } = raw;
  if ('unique' in raw) return { id, kind, at: raw.unique, to: null, message };
  if ('references' in raw) {
    const { kind: target = null, at } = raw.to;
    return { id, kind, at: raw.references, to: { kind: target, at }, message };
  }
  const { at = '', when = null, assert, report = '' } = raw;
  return { id, kind, at, report, when, assert, message: message ?? '' };
}
