/**
 * The checks of a config, or of the file that it names: read, and looked at one by one.
 */
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { RuleLevels } from '../run/check/levels.ts';
import { readFileOrPipe } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Check } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { jsonFault } from '../words/json-fault.ts';
import { nearMiss } from '../words/near.ts';
import { type Config, inConfig } from './config.ts';
import { isInside } from './inside.ts';

export interface OwnChecks {
  readonly checks: readonly Check[];
  /** The levels of their rules, unless the config has others. */
  readonly levels: RuleLevels;
  /** The beginning of a message about a check. */
  readonly placeOf: (check: Check) => string;
}

const NO_CHECKS: OwnChecks = { checks: [], levels: {}, placeOf: () => '' };

const MOST_BYTES = 16 << 20;
/** More take long for each payload. */
const MOST_CHECKS = 1000;

const MEMBERS = ['id', 'kind', 'at', 'when', 'assert', 'report', 'message', 'severity', 'onError'];
const ID = /^[A-Za-z0-9][\w.-]*$/;
/** RFC 6901. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** Throws UsageError. */
export function readChecks(config: Config): OwnChecks {
  if (config.checks === null) return NO_CHECKS;
  const file = typeof config.checks === 'string' ? config.checks : null;
  const list = file === null ? config.checks : listIn(file, config);
  const name = file === null ? inConfig(config, '/checks').slice(0, -2) : `${visible(file)}#`;
  if (!Array.isArray(list)) throw new UsageError(`${name}: expected a list of checks`);
  if (list.length > MOST_CHECKS) throw new UsageError(`${name}: more than ${MOST_CHECKS} checks`);
  const places = new Map<Check, string>();
  const levels: Record<string, 'error' | 'warning'> = {};
  for (const [i, raw] of list.entries()) {
    const place = `${name}/${i}: `;
    const check = checkFrom(raw, place);
    if (levels[`check/${check.id}`] !== undefined)
      throw new UsageError(`${place}there is a check ${quote(check.id)} before`);
    places.set(check, place);
    const { severity, onError } = raw as JsonObject; // as checked
    levels[`check/${check.id}`] = severity === 'warning' ? 'warning' : 'error';
    levels[`check/${check.id}/evaluation`] = onError === 'error' ? 'error' : 'warning';
  }
  return { checks: [...places.keys()], levels, placeOf: (check) => places.get(check) ?? '' };
}

function listIn(file: string, config: Config): unknown {
  const at = inConfig(config, '/checks');
  if (!isInside(file, config.folder))
    throw new UsageError(
      `${at}expected a path inside the folder of the config, without "..", found ${visible(file)}`,
    );
  let bytes: Buffer;
  try {
    bytes = readFileOrPipe(resolve(config.folder, file), MOST_BYTES);
  } catch (cause) {
    throw new UsageError(`${at}cannot read ${visible(file)}: ${wordsFor(cause)}`, { cause });
  }
  const fault = jsonFault(bytes);
  if (fault !== null)
    throw new UsageError(`${visible(file)}:${fault.line}:${fault.column}: ${fault.sentence}`);
  return JSON.parse(bytes.toString().replace(/^\uFEFF/, ''));
}

/** Throws UsageError. */
function checkFrom(raw: unknown, place: string): Check {
  const refuse = (text: string): never => {
    throw new UsageError(place + text);
  };
  if (!isJsonObject(raw)) return refuse('expected an object with "id", "assert" and "message"');
  const unknown = Object.keys(raw).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    const near = nearMiss(unknown, MEMBERS);
    refuse(
      `a check has no member ${quote(unknown)}; ${near === null ? `it has ${MEMBERS.join(', ')}` : `did you mean ${quote(near)}?`}`,
    );
  }
  const text = (name: string): string | null => {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (value !== undefined && typeof value !== 'string') refuse(`expected ${quote(name)} to be a string`);
    return typeof value === 'string' ? value : null;
  };
  const needed = (name: string): string => text(name) ?? refuse(`the member ${quote(name)} is missing`);
  const pointer = (name: string): string => {
    const value = text(name) ?? '';
    return POINTER.test(value)
      ? value
      : refuse(`expected ${quote(name)} to be a JSON Pointer, such as "/lines/0"`);
  };
  const id = needed('id');
  if (!ID.test(id)) refuse('expected "id" to have letters, digits, ".", "_" and "-" only');
  for (const name of ['severity', 'onError'])
    if (!['error', 'warning', null].includes(text(name)))
      refuse(`expected ${quote(name)} to be "error" or "warning"`);
  return {
    ...{ id, kind: text('kind'), at: pointer('at'), report: pointer('report') },
    ...{ when: text('when'), assert: needed('assert'), message: needed('message') },
  };
}
