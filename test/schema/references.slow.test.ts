/**
 * What references lead to: every form of base × every form of reference × what is known. Each schema that may be meant
 * accepts a word of its own, so the word that passes tells which one was. Hyperjump resolves the same references.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { resolveIri } from '@hyperjump/uri';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/index.ts';
import { loadSchemas } from '../../src/schema/load.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const WORDS = ['embedded', 'ref by $id', 'ref by URI', 'beside', 'wrong'] as const;
type Word = (typeof WORDS)[number];

let top: string;
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'paylint-references-'));
});
afterAll(() => rmSync(top, { recursive: true }));

let count = 0;
/** Writes files into a folder of their own. */
function write(files: Readonly<Record<string, unknown>>): string {
  const folder = join(top, `${count++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  return folder;
}

/** The `$id` of the root, and those around the reference. */
const BASES: readonly (readonly [root: string | null, inner: readonly string[]])[] = [
  [null, []],
  [null, ['deep/']],
  [null, ['https://y.example/b/c']],
  ['down/root.json', []],
  ['/root.json', []],
  ['https://x.example/a/main.json', []],
  ['https://x.example/a/', []],
  ['https://x.example', []],
  ['HTTPS://X.example:443/a/../a/main', []],
  ['https://x.example:99999/a/main', []],
  ['https://x.example/a/main.json', ['deep/']],
  ['https://x.example/a/main.json', ['deep/er/', '../it']],
  ['https://x.example/a/main.json', ['https://y.example/b/c']],
  ['https://x.example/a/main.json', ['urn:other:b']],
  ['urn:acme:api:main', []],
  ['urn:acme:api:main', ['inner']],
  ['tag:acme.example,2026:a/main', []],
  ['acme+x:main', []],
];
const REFERENCES = [
  't.json',
  './t.json',
  '../t.json',
  '/t.json',
  'deep/t.json',
  'a%26b/t.json',
  'h%23sh/%74.json',
  't.json?v=2',
  't.json#/$defs/it',
  't.json#it',
  '//z.example/t.json',
  'https://x.example/a/t.json',
  'https://x.example/a/deep/../t%2Ejson',
  'urn:acme:api:t',
  'tag:acme.example,2026:a/t',
];
const KNOWN: readonly (readonly Word[])[] = [
  ['embedded'],
  ['ref by $id'],
  ['ref by URI'],
  ['beside'],
  ['embedded', 'ref by URI', 'beside'],
  ['embedded', 'ref by $id', 'beside'],
  ['ref by $id', 'ref by URI', 'beside'],
  ['ref by URI', 'beside'],
  ['ref by $id', 'beside'],
];

/** The schema that is meant, with its places, so that every fragment leads to a test of the word. */
function meaning(word: Word, id: string | null): object {
  const it = { $anchor: 'it', const: word };
  return { ...(id === null ? {} : { $id: id }), $schema: DIALECT, const: word, $defs: { it } };
}

/**
 * Where a URI lies, seen from the root of the main schema, whose file is at `file`; null: not in the folder of the file.
 */
function besideOf(uri: string, root: string, file: string): string | null {
  const base = uri.startsWith('file:') ? file : root;
  const folder = resolveIri('.', base);
  const isBelow = uri.startsWith(folder) && !uri.slice(folder.length).startsWith('//');
  return isBelow ? decodeURIComponent(uri.slice(folder.length).replace(/\?.*/, '')) : null;
}

interface Trial {
  readonly main: object;
  readonly files: Readonly<Record<string, unknown>>;
  readonly refs: readonly string[];
  /** The word that must pass; null: the reference leads nowhere. */
  readonly expected: Word | null;
  readonly uri: string;
  /** The URI of the main schema. */
  readonly root: string;
}

function trialOf(base: (typeof BASES)[number], reference: string, known: readonly Word[]): Trial {
  const [rootId, innerIds] = base;
  const file = pathToFileURL(join(top, `${count}`, 'main.json')).href;
  const root = rootId === null ? file : resolveIri(rootId, file);
  const inner = innerIds.reduce((around, id) => resolveIri(id, around), root);
  const uri = resolveIri(reference.replace(/#.*/, ''), inner);
  const place = besideOf(uri, root, file);
  const isThere = (word: Word): boolean => known.includes(word) && (word !== 'beside' || place !== null);
  const expected = WORDS.find(isThere) ?? null;
  const embedded = isThere('embedded') ? { one: meaning('embedded', uri) } : {};
  const nested = innerIds.reduceRight<object>((schema, $id) => ({ $id, allOf: [schema] }), { $ref: reference });
  const main = {
    $schema: DIALECT,
    ...(rootId === null ? {} : { $id: rootId }),
    $defs: embedded,
    properties: { data: { const: { $id: uri } } },
    anyOf: [{ not: {} }, nested],
  };
  const wrong = { data: { $schema: DIALECT, examples: [meaning('wrong', uri)], title: 'x' } };
  const files = {
    ...(isThere('beside') ? { [place!]: meaning('beside', null) } : {}),
    ...(isThere('ref by $id') ? { 'lib/some.json': meaning('ref by $id', uri) } : {}),
    ...(isThere('ref by URI') ? { 'other/some.json': meaning('ref by URI', null) } : {}),
    'lib/data.json': wrong,
  };
  const refs = ['lib', ...(isThere('ref by URI') ? [`${uri}=other/some.json`] : [])];
  return { main, files, refs, expected, uri, root };
}

/** The words that paylint accepts; null: it refuses the schema. */
async function wordsOf({ main, files, refs }: Trial, isTurned: boolean): Promise<Word[] | null> {
  const turned = Object.fromEntries(Object.entries(main).reverse());
  const folder = write({ 'main.json': isTurned ? turned : main, ...files });
  const paths = refs.map((ref) =>
    ref.replace(/(^|=)(\w+(?:\/[\w.]+)?)$/, (_, start, path) => `${start}${join(folder, path)}`),
  );
  if (isTurned) paths.reverse();
  try {
    const paylint = await openPaylint({ schema: join(folder, 'main.json'), refs: paths });
    return WORDS.filter((word) => paylint.isValid(JSON.stringify(word)));
  } catch (error) {
    expect(String(error)).toMatch(/leads to no file|cannot follow|asserts nothing/);
    return null;
  }
}

/** The same by Hyperjump, which is told what lies at the URI. It takes no schemas of `file:` URIs. */
async function hyperjumpWords({ main, expected, ...trial }: Trial): Promise<Word[] | null> {
  const isKnown = expected !== null && expected !== 'embedded';
  const elsewhere = (text: string) =>
    text.replaceAll('file:///', 'https://files.example/').replaceAll('file:', 'https:');
  const [uri, root] = [trial.uri, trial.root].map(elsewhere) as [string, string];
  const schema = JSON.parse(elsewhere(JSON.stringify({ ...main, $id: undefined }))) as never; // a schema of its own
  try {
    if (isKnown) registerSchema(meaning(expected, null) as never, uri, DIALECT);
    registerSchema(schema, root, DIALECT);
    const check = await validate(root);
    return WORDS.filter((word) => check(word).valid);
  } catch {
    return null;
  } finally {
    for (const one of [root, uri]) unregisterSchema(one);
  }
}

/** Hyperjump resolves dots against a base without `//` in another way than RFC 3986, section 5.2.4. */
function isSameForAll([root, inner]: (typeof BASES)[number], reference: string): boolean {
  const base = [root ?? '', ...inner].findLast((id) => id.includes(':')) ?? '//';
  return base.includes('//') || !/^\.\.?\//.test(reference);
}

describe.each(BASES)('with the base %j %j', (...base) => {
  it.each(REFERENCES.filter((reference) => isSameForAll(base, reference)))(
    '%s is resolved by identity',
    async (reference) => {
      for (const [i, known] of KNOWN.entries()) {
        const trial = trialOf(base, reference, known);
        const expected = trial.expected === null ? null : [trial.expected];
        const about = JSON.stringify({ uri: trial.uri, known });
        // Each in one of both orders: the next reference has the other one.
        const isTurned = (i + REFERENCES.indexOf(reference)) % 2 === 1;
        expect(await wordsOf(trial, isTurned), about).toEqual(expected);
      }
      const trial = trialOf(base, reference, ['ref by $id']);
      expect(await hyperjumpWords(trial)).toEqual([trial.expected]);
    },
  );
});

describe('a reference that leads nowhere names what is missing, and the near miss', () => {
  const FILES = {
    'lib.json': { $defs: { x: { $anchor: 'name' }, 'a/b': {} } },
    'Sub/Address.json': {},
    'ref.json': { $id: 'https://x.example/known.json', type: 'string' },
  };
  it.each<[object, string, RegExp]>([
    [
      { definitions: { address: {} } },
      '#/definitions/adress',
      /no "adress" in #\/definitions; did you mean "#\/definitions\/address"\?/,
    ],
    [
      { definitions: { address: {} } },
      '#/$defs/address',
      /no "\$defs" in the root; did you mean "#\/definitions\/address"\?/,
    ],
    [
      { definitions: { a: { properties: { b: {} } } } },
      '#/definitions/a/propertes/b',
      /did you mean "#\/definitions\/a\/properties\/b"/,
    ],
    [
      { definitions: { address: {} } },
      'definitions/address',
      /no file: there is no .*; did you mean "#\/definitions\/address"/,
    ],
    [{ definitions: { address: {} } }, '/definitions/address', /did you mean "#\/definitions\/address"/],
    [{ definitions: { address: {} } }, 'address', /did you mean "#\/definitions\/address"/],
    [{ definitions: { address: {} } }, '#address', /did you mean "#\/definitions\/address"/],
    [{ definitions: { address: {} } }, '#definitions/address', /did you mean "#\/definitions\/address"/],
    [{ $defs: { 'b/c': {} } }, '#/$defs/b/c', /no "b" in #\/\$defs; did you mean "#\/\$defs\/b~1c"/],
    [
      { $defs: { a: { $anchor: 'street' } } },
      '#sreet',
      /no schema there has "\$anchor": "sreet"; did you mean "#street"/,
    ],
    [{ $defs: { a: { $anchor: 'street' } } }, 'street', /did you mean "#street"/],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', definitions: { a: { $anchor: 'b' } } },
      '#b',
      /draft-07 has no "\$anchor"; write "\$id": "#b"/,
    ],
    [{}, '#/title/x', /there is no "x" in #\/title$/],
    [{}, '#/title', /what is there is no schema$/],
    [{}, 'lib.json#/$defs/a/b', /did you mean "lib.json#\/\$defs\/a~1b"/],
    [{}, 'lib.json#nme', /did you mean "lib.json#name"/],
    [{}, 'Lib.json', /did you mean the file lib.json\?/],
    [{}, 'lib', /did you mean the file lib.json\?/],
    [{}, 'sub/address.json', /did you mean the file Sub\/Address.json\?/],
    [{ $id: 'https://x.example/main.json' }, 'sub/address.json', /did you mean the file Sub\/Address.json\?/],
    [{}, 'file://Sub/Address.json', /the name of a machine, so did you mean "Sub\/Address.json"/],
    [{}, 'Sub\\Address.json', /did you mean "Sub\/Address.json"/],
    [{}, 'http://x.example/known', /did you mean "https:\/\/x.example\/known.json"/],
    [{}, 'https://x.exmaple/known.json', /did you mean "https:\/\/x.example\/known.json"/],
    [{}, 'https://y.example/v1/known.json', /did you mean "https:\/\/x.example\/known.json"/],
    [
      {},
      'https://y.example/none',
      /nothing is fetched from a network; refs: { "https:\/\/y.example\/none": schema } says/,
    ],
  ])('%j %s', async (others, $ref, message) => {
    const folder = write({ ...FILES, 'main.json': { title: 'Main', ...others, properties: { a: { $ref } } } });
    const opening = openPaylint({ schema: join(folder, 'main.json'), refs: [join(folder, 'ref.json')] });
    await expect(opening).rejects.toThrow(message);
  });
});

describe('files with different schemas of the same $id', () => {
  const $id = 'https://x.example/order';
  const [v1, v2] = ['one', 'two'].map((word) => ({ $id, $ref: `${$id}#/$defs/it`, $defs: { it: { const: word } } }));

  it('are schemas for different payloads, each with its own references', () => {
    const folder = write({ 'v1.json': v1, 'v2.json': v2 });
    const { kinds } = loadSchemas(join(folder, 'v1.json'), {}, [join(folder, 'v2.json')]);
    expect(kinds.map(({ name }) => name)).toEqual(['v1', 'v2']);
  });

  it('are refused if a reference in another file leads to them', () => {
    const folder = write({
      'v1.json': v1,
      'v2.json': v2,
      'main.json': { anyOf: [{ $ref: 'v1.json' }, { $ref: $id }] },
    });
    const load = () => loadSchemas(join(folder, 'main.json'), {}, [join(folder, 'v2.json')]);
    expect(load).toThrow(/v1.json and .*v2.json have different schemas of the same \$id, https:\/\/x.example\/order/);
  });
});

it.each([
  ['differ', '{"const":1}', true],
  ['are equal', '{"const":2}', false],
])('two files that a URI may mean by their places are refused if they %s', async (_, text, isRefused) => {
  const part = (name: string) => ({
    $id: `https://x.example/${name}`,
    anyOf: [{ $ref: 'part.json' }, { type: 'null' }],
  });
  const folder = write({
    'main.json': { ...part('main.json'), not: { $ref: 'other.json' } },
    'lib/other.json': part('other.json'),
    'part.json': { const: 2 },
  });
  writeFileSync(join(folder, 'lib/part.json'), text);
  const load = () =>
    loadSchemas(join(folder, 'main.json'), {
      refs: [{ uri: null, path: join(folder, 'lib/other.json'), isFolder: false }],
    });
  if (isRefused) expect(load).toThrow(/part.json both lie where https:\/\/x.example\/part.json leads to; --ref https/);
  else expect(load().documents.map(({ name }) => name)).toEqual(['main.json', 'lib/other.json', 'part.json']);
});
