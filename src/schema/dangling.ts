/** The message for a reference that leads nowhere: which part of it does not exist, and what was probably meant. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { SchemaError } from '../errors.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { quote, visible } from '../words/escape.ts';
import { lettersApart, nearMiss } from '../words/near.ts';
import type { RawObject, Reference, Resource, SchemaPlace, Unresolved } from './document.ts';
import { faultAt } from './faults.ts';
import { localPath } from './uri.ts';
import type { Ways } from './ways.ts';

export interface Dangling extends Unresolved {
  readonly from: Resource;
  /** Absolute paths where the file of the URI may lie. */
  readonly paths: readonly string[];
  readonly known: readonly string[];
  /** Files and folders that could not be searched, as messages name them. */
  readonly unread: readonly string[];
  readonly places: ReadonlyMap<object, SchemaPlace>;
  readonly ways: Ways;
  /** The schema that refers was given as a value, and is in no file. */
  readonly isGiven: boolean;
}

export function danglingError({ keyword, text, place }: Reference, facts: Dangling): SchemaError {
  const { uri, resource, paths, fragment = '', ways } = facts;
  const [path] = paths;
  const subject = `the ${keyword} ${JSON.stringify(text)}`;
  const say = (sentence: string, ...hints: readonly (string | null)[]): SchemaError =>
    faultAt(place, [sentence, ...hints].filter((part) => part !== null && part !== '').join('; '), paths);
  if (resource !== null) {
    const inside = text.replace(/#.*$/s, '');
    return say(
      `${subject} leads to nothing: ${missingPart(resource, fragment)}`,
      meantPlace(facts, resource, fragment, inside),
    );
  }
  if (uri === null) return say(`${subject} is not a URI reference`, text.includes('%') ? 'write %25 for %' : null);
  const meant = meantInside(text, facts) ?? meantHost(text) ?? meantFile(facts) ?? meantUri(uri, facts);
  if (path === undefined) {
    const flag =
      ways.refOf(visible(uri)) + (ways.schema === 'schema' ? ' says what it is' : ' names a local file for it');
    const problem = 'only local files are read, nothing is fetched from a network';
    return say(`cannot follow ${subject}: ${problem}`, meant, flag, unreadFiles(facts));
  }
  const flag = meant === null ? `${ways.ref} makes a schema known by its $id` : null;
  const problem = facts.isGiven
    ? 'leads to nothing: no schema that was given has this $id'
    : `leads to no file: there is no ${path}`;
  return say(`${subject} ${problem}`, meant, flag, unreadFiles(facts));
}

function unreadFiles({ unread: [first, ...others] }: Dangling): string {
  if (first === undefined) return '';
  const count = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${first}${count} could not be read as a schema`;
}

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
function meantPlace({ places }: Dangling, resource: Resource, fragment: string, file: string): string | null {
  const { root, draft, anchors } = resource;
  const known = anchors.has(fragment.slice(1)) ? fragment.slice(1) : nearMiss(fragment, anchors.keys());
  if (known !== null) return didYouMean(`${file}#${known}`);
  if (draft.hasFragmentIds)
    for (const [schema, at] of places)
      if (at.resource === resource && (schema as RawObject).$anchor === fragment)
        // all are schemas
        return `${draft.title} has no "$anchor"; write "${draft.id}": ${quote(`#${fragment}`)}`;
  const place = placeFor(root, fragment);
  return place === null ? null : didYouMean(`${file}#${place}`);
}

/** The place in the referring schema that a reference without `#` means. */
function meantInside(text: string, { from }: Dangling): string | null {
  if (text.includes('#')) return null;
  if (from.anchors.has(text)) return didYouMean(`#${text}`);
  const place = placeFor(from.root, text);
  return place === null ? null : didYouMean(`#${place}`);
}

const DEFINITIONS = ['$defs', 'definitions'];

/** The pointer to a schema in `root` that `text` means: perhaps a misspelt one, or the name of a definition. */
function placeFor(root: unknown, text: string): string | null {
  const tokens = parsePointer(text.startsWith('/') ? text : `/${text}`);
  for (const way of tokens.length === 1 ? DEFINITIONS.map((keyword) => [keyword, ...tokens]) : [tokens]) {
    const mended = mend(root, way, PLACES);
    if (mended !== null) return formatPointer(mended);
  }
  return null;
}

/** What names lead to in a tree. */
interface Tree<T> {
  readonly names: (node: T) => readonly string[];
  readonly child: (node: T, name: string) => T;
  /** Whether a way may end at a node. */
  readonly isEnd: (node: T) => boolean;
}

const PLACES: Tree<unknown> = {
  names: (value) => (typeof value === 'object' && value !== null ? Object.keys(value) : []),
  child: (value, name) => (value as RawObject)[name], // it has the name
  isEnd: (value) => isJsonObject(value) || typeof value === 'boolean',
};

const FILES: Tree<string> = {
  names: (path) => {
    try {
      return readdirSync(path);
    } catch {
      return []; // not a folder
    }
  },
  child: join,
  isEnd: () => true,
};

/** The way in a tree that is nearest to `way`: names that have a slash, or are misspelt. Null: there is none. */
function mend<T>(node: T, way: readonly string[], tree: Tree<T>): string[] | null {
  const [name, ...rest] = way;
  if (name === undefined) return tree.isEnd(node) ? [] : null;
  const names = tree.names(node);
  const other = DEFINITIONS.includes(name) ? DEFINITIONS.find((one) => one !== name && names.includes(one)) : undefined;
  const near = other ?? nearMiss(name, names) ?? `${name}.json`;
  const joined = way.map((_, i) => way.slice(0, i + 1).join('/')).filter((one) => names.includes(one));
  const choices = joined.length > 0 || !names.includes(near) ? joined : [near];
  for (const one of choices) {
    const used = joined.includes(one) ? one.split('/').length : 1;
    const further = mend(tree.child(node, one), used === 1 ? rest : way.slice(used), tree);
    if (further !== null) return [one, ...further];
  }
  return null;
}

/** `file://schemas/x.json`: what stands after `//` is the name of a machine; and `\`, which URIs do not have. */
function meantHost(text: string): string | null {
  if (text.includes('\\')) return didYouMean(text.replaceAll('\\', '/'));
  const [, rest] = /^file:\/\/([^/].*)$/is.exec(text) ?? [];
  if (rest === undefined) return null;
  return `after "file://" stands the name of a machine, so did you mean ${quote(rest)} or ${quote(`file:///${rest}`)}?`;
}

/** The file that lies nearest to where the reference leads. */
function meantFile({ paths, from }: Dangling): string | null {
  for (const path of paths) {
    const folder = dirname(from.document.path);
    const way = relative(folder, path).split(sep);
    const up = way.filter((name) => name === '..').length;
    const start = join(folder, ...way.slice(0, up));
    const mended = mend(start, way.slice(up), FILES);
    if (mended !== null && mended.length > 0)
      return `did you mean the file ${visible([...way.slice(0, up), ...mended].join('/'))}?`;
  }
  return null;
}

/** The known URI that differs from `uri` in what is easily mistaken, or that ends with the same name. */
function meantUri(uri: string, { known: all, from }: Dangling): string | null {
  const known = all.filter((one) => one !== from.uri);
  const plain = (one: string): string =>
    one
      .toLowerCase()
      .replace(/^https?:/, '')
      .replace(/(?:\.json)?\/?$/, '');
  const isNear = (one: string): boolean =>
    Math.abs(one.length - uri.length) <= 2 && uri.length < 500 && lettersApart(one, uri) <= 2;
  const near = known.find((one) => plain(one) === plain(uri)) ?? known.find(isNear);
  const meant = near ?? known.find((one) => basename(one) === basename(uri));
  const path = meant === undefined ? null : localPath(meant);
  if (path !== null) return didYouMean(relative(dirname(from.document.path), path).replaceAll('\\', '/'));
  return meant === undefined ? null : didYouMean(meant);
}

function didYouMean(text: string): string {
  return `did you mean ${quote(text)}?`;
}
