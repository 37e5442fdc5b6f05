/** The checks of a config, or of the file that it names, and those that come with the kinds, read one by one. */
import { resolve } from 'node:path';
import type { PlacedChecks } from '../checks/require.ts';
import { UsageError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { bundledSchema } from '../package.ts';
import type { RuleLevels } from '../run/check/flow.ts';
import type { Check, Relation } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { type Config, inConfig } from './config.ts';
import { jsonIn } from './config-check.ts';
import { readNamed, requireInside } from './config-search.ts';

export interface OwnChecks extends PlacedChecks {
  /** The levels of their rules, unless the config has others. */
  readonly levels: RuleLevels;
}

const MOST_BYTES = 16 << 20;
/** More take long for each payload. */
const MOST_CHECKS = 1000;

/** The members of a check, by the one that says what it does. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  assert: ['id', 'kind', 'at', 'when', 'assert', 'report', 'message', 'severity', 'onError'],
  unique: ['id', 'kind', 'unique', 'message', 'severity'],
  references: ['id', 'kind', 'references', 'to', 'message', 'severity'],
};
const ID = /^[A-Za-z0-9][\w.-]*$/;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** The checks of the three kinds, which `--advice` turns on. */
const ADVICE = 'payload.checks.json';

/** `advice`: those of the three kinds, too, but for those that the config replaces. Throws UsageError. */
export function readChecks(config: Config, advice: boolean): OwnChecks {
  const own = config.checks === null ? [] : listOf(config, config.checks);
  const more = advice ? checksIn(listIn(bundledSchema(ADVICE), ADVICE, ''), `${ADVICE}#`) : [];
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

function listOf(config: Config, checks: string | readonly unknown[]): PlacedCheck[] {
  const at = inConfig(config, '/checks');
  if (typeof checks !== 'string') return checksIn(checks, at.slice(0, -2));
  requireInside(checks, config.folder, at);
  return checksIn(listIn(resolve(config.folder, checks), checks, at), `${visible(checks)}#`);
}

interface PlacedCheck {
  readonly check: Check | Relation;
  readonly place: string;
  readonly levels: readonly (readonly [rule: string, level: 'error' | 'warning'])[];
}

function checksIn(list: unknown, name: string): PlacedCheck[] {
  if (!Array.isArray(list)) throw new UsageError(`${name}: expected a list of checks`);
  if (list.length > MOST_CHECKS) throw new UsageError(`${name}: more than ${MOST_CHECKS} checks`);
  const ids = new Set<string>();
  return list.map((raw: unknown, i) => {
    const place = `${name}/${i}: `;
    const check = checkFrom(raw, place);
    if (ids.has(check.id)) throw new UsageError(`${place}there is a check ${quote(check.id)} before`);
    ids.add(check.id);
    const { severity, onError } = raw as JsonObject; // as checked
    const levels = [
      [`check/${check.id}`, severity === 'warning' ? 'warning' : 'error'],
      [`check/${check.id}/evaluation`, onError === 'error' ? 'error' : 'warning'],
    ] as const;
    return { check, place, levels };
  });
}

/** `file`: as messages have it; `at`: the beginning of a message. */
function listIn(path: string, file: string, at: string): unknown {
  return jsonIn(readNamed(path, MOST_BYTES, `${at}cannot read ${visible(file)}`), visible(file));
}

/** Reads the members of an object, which are texts; an absent pointer is the root. Throws UsageError. */
function membersOf(raw: unknown, names: readonly string[], place: string) {
  const refuse = (text: string): never => {
    throw new UsageError(place + text);
  };
  if (!isJsonObject(raw)) return refuse(`expected an object with ${names.map((name) => quote(name)).join(', ')}`);
  const unknown = Object.keys(raw).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = nearMiss(unknown, names);
    refuse(
      `a check has no member ${quote(unknown)}; ${near === null ? `it has ${names.join(', ')}` : `did you mean ${quote(near)}?`}`,
    );
  }
  const text = (name: string): string | null => {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (value !== undefined && typeof value !== 'string') refuse(`expected ${quote(name)} to be a string`);
    return typeof value === 'string' ? value : null;
  };
  const pointer = (name: string): string => {
    const value = text(name) ?? '';
    return POINTER.test(value) ? value : refuse(`expected ${quote(name)} to be a JSON Pointer, such as "/lines/0"`);
  };
  const needed = (name: string): string => text(name) ?? refuse(`the member ${quote(name)} is missing`);
  return { text, needed, pointer };
}

/** Throws UsageError. */
function checkFrom(raw: unknown, place: string): Check | Relation {
  const form = ['unique', 'references'].find((name) => isJsonObject(raw) && Object.hasOwn(raw, name));
  const { text, needed, pointer } = membersOf(raw, FORMS[form ?? 'assert']!, place);
  const id = needed('id');
  if (!ID.test(id)) throw new UsageError(`${place}expected "id" to have letters, digits, ".", "_" and "-" only`);
  for (const name of ['severity', 'onError'])
    if ((form === undefined || name === 'severity') && !['error', 'warning', null].includes(text(name)))
      throw new UsageError(`${place}expected ${quote(name)} to be "error" or "warning"`);
  const kind = text('kind');
  if (form === undefined)
    return {
      ...{ id, kind, at: pointer('at'), report: pointer('report') },
      ...{ when: text('when'), assert: needed('assert'), message: needed('message') },
    };
  const relation = { id, kind, at: pointer(form), to: null, message: text('message') };
  if (form === 'unique') return relation;
  const to = membersOf((raw as JsonObject).to, ['kind', 'at'], `${place}to: `); // an object, as checked
  to.needed('at');
  return { ...relation, to: { kind: to.text('kind'), at: to.pointer('at') } };
}
