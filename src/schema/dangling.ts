/**
 * The message for a reference that leads nowhere: which part of it does not exist, and what was probably meant.
 */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { SchemaError } from '../errors.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { quote, visible } from '../words/escape.ts';
import { lettersApart, nearMiss } from '../words/near.ts';
import type { RawObject, Reference, Resource, Unresolved } from './document.ts';
import { faultAt } from './faults.ts';
import { localPath } from './uri.ts';

/** What is known about such a reference. */
export interface Dangling extends Unresolved {
  /** The resource that refers. */
  readonly from: Resource;
  /** Absolute paths where the file of the URI may lie. */
  readonly paths: readonly string[];
  /** The URIs of all schemas that are known. */
  readonly known: readonly string[];
  /** Files and folders that could not be searched, as messages name them. */
  readonly unread: readonly string[];
}

/** The error for a reference that leads nowhere. */
export function danglingError({ keyword, text, place }: Reference, facts: Dangling): SchemaError {
  const { uri, resource, paths, fragment = '' } = facts;
  const [path] = paths;
  const subject = `the ${keyword} ${JSON.stringify(text)}`;
  const say = (sentence: string, ...hints: readonly (string | null)[]): SchemaError =>
    faultAt(place, [sentence, ...hints].filter((part) => part !== null && part !== '').join('; '), paths);
  if (resource !== null) {
    const inside = text.replace(/#.*$/s, '');
    return say(
      `${subject} leads to nothing: ${missingPart(resource, fragment)}`,
      meantPlace(resource, fragment, inside),
    );
  }
  if (uri === null) return say(`${subject} is not a URI reference`, text.includes('%') ? 'write %25 for %' : null);
  const meant = meantInside(text, facts) ?? meantFile(facts) ?? meantUri(uri, facts);
  if (path === undefined) {
    const flag = `--ref ${uri}=FILE names a local file for it`;
    const problem = 'only local files are read, nothing is fetched from a network';
    return say(`cannot follow ${subject}: ${problem}`, meant, flag, unreadFiles(facts));
  }
  const flag = meant === null ? '--ref FILE makes a schema known by its $id' : null;
  return say(`${subject} leads to no file: there is no ${path}`, meant, flag, unreadFiles(facts));
}

function unreadFiles({ unread: [first, ...others] }: Dangling): string {
  if (first === undefined) return '';
  const count = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${first}${count} could not be read as a schema`;
}

/** Which part of a fragment does not exist. */
function missingPart({ root, draft }: Resource, fragment: string): string {
  if (!fragment.startsWith('/')) {
    const keyword = draft.hasFragmentIds ? `"${draft.id}": ${quote(`#${fragment}`)}` : `"$anchor": ${quote(fragment)}`;
    return `no schema there has ${keyword}`;
  }
  let value: unknown = root;
  const tokens = parsePointer(fragment);
  for (const [i, token] of tokens.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) {
      const way = visible(`#${formatPointer(tokens.slice(0, i))}`);
      return `there is no ${quote(token)} in ${i === 0 ? 'the root' : way}`;
    }
    value = (value as RawObject)[token];
  }
  return 'what is there is no schema';
}

/** The place that a fragment means. `file`: what the reference has before it. */
function meantPlace({ root, anchors }: Resource, fragment: string, file: string): string | null {
  const known = anchors.has(fragment.slice(1)) ? fragment.slice(1) : nearMiss(fragment, anchors.keys());
  if (known !== null) return didYouMean(`${file}#${known}`);
  const place = placeFor(root, fragment);
  return place === null ? null : didYouMean(`${file}#${place}`);
}

/** The place in the referring schema that a reference without `#` means. */
function meantInside(text: string, { from }: Dangling): string | null {
  if (text.includes('#')) return null;
  const place = from.anchors.has(text) ? text : placeFor(from.root, text);
  return place === null ? null : didYouMean(`#${place}`);
}

/** The pointer to a schema in `root` that `text` means: perhaps a misspelt one, or the name of a definition. */
function placeFor(root: unknown, text: string): string | null {
  const tokens = parsePointer(text.startsWith('/') ? text : `/${text}`);
  const ways = tokens.length === 1 ? ['$defs', 'definitions'].map((keyword) => [keyword, ...tokens]) : [tokens];
  const found = ways.map((way) => mend(root, way)).find((way) => way !== null);
  return found === undefined ? null : formatPointer(found);
}

const DEFINITIONS: ReadonlyMap<string, string> = new Map([
  ['$defs', 'definitions'],
  ['definitions', '$defs'],
]);

/** The way to a schema that is nearest to `way`: with other names where those are not there. Null: there is none. */
function mend(value: unknown, [name, ...rest]: readonly string[]): string[] | null {
  if (name === undefined) return isJsonObject(value) || typeof value === 'boolean' ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  const names = Object.keys(value);
  const other = DEFINITIONS.get(name) ?? '';
  const near = [name, other].find((one) => names.includes(one)) ?? nearMiss(name, names);
  const further = near === null ? null : mend((value as RawObject)[near], rest); // it has the name
  return further === null ? null : [near!, ...further];
}

/** The file that lies nearest to where the reference leads. */
function meantFile({ paths, from }: Dangling): string | null {
  for (const path of paths) {
    try {
      const names = readdirSync(dirname(path));
      const near = nearMiss(basename(path), names) ?? names.find((name) => name === `${basename(path)}.json`) ?? null;
      const way = near === null ? '' : relative(dirname(from.document.path), join(dirname(path), near));
      if (way !== '') return `did you mean the file ${visible(way.replaceAll('\\', '/'))}?`;
    } catch {
      // there is no such folder
    }
  }
  return null;
}

/** The known URI that differs from `uri` in what is easily mistaken, or that ends with the same name. */
function meantUri(uri: string, { known: all, from }: Dangling): string | null {
  const known = all.filter((one) => one !== from.uri);
  const plain = (one: string): string => one.replace(/^http:/, 'https:').replace(/(?:\.json)?\/?$/, '');
  const isNear = (one: string): boolean =>
    Math.abs(one.length - uri.length) <= 8 && lettersApart(plain(one), plain(uri)) <= 2;
  const near = uri.length < 500 ? known.find(isNear) : undefined;
  const meant = near ?? known.find((one) => basename(one) === basename(uri));
  if (meant === undefined) return null;
  const path = localPath(meant);
  return didYouMean(path === null ? meant : relative(dirname(from.document.path), path).replaceAll('\\', '/'));
}

function didYouMean(text: string): string {
  return `did you mean ${quote(text)}?`;
}
