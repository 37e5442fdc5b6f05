/**
 * `paylint lsp` through the protocol: its diagnostics are the violations of the `ndjson` report, whatever was changed before.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic, Range } from 'vscode-languageserver';
import { NO_FILE_RULES } from '../../src/config/settings.ts';
import { type FileEvent, openPaylint, type Paylint, type Violation } from '../../src/index.ts';
import { DEFAULTS, OpenDocument } from '../../src/lsp/documents.ts';
import { LspClient } from '../lsp-client.ts';
import { ROOT } from '../user-folder.ts';
import { paylint } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-lsp-'));
const VALID = '{"@context":"c","@type":"e","emoji":"👍"}';
const ALL = { validate: 'all' };

/** The part of a diagnostic that a violation of the report decides. */
const plain = ({ range, severity, code, message, source }: Diagnostic) => ({ range, severity, code, message, source });

function asDiagnostic({ line, column, endLine, endColumn, severity, rule, message }: Violation) {
  const start = { line: line - 1, character: column - 1 };
  const end = { line: endLine - 1, character: endColumn - 1 };
  return { range: { start, end }, severity: severity === 'error' ? 1 : 2, code: rule, message, source: 'paylint' };
}

async function reported(names: readonly string[], flags: readonly string[] = ['--no-config']) {
  const { stdout } = await paylint(['validate', ...names, '--format', 'ndjson', ...flags], { cwd: folder });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as FileEvent); // as the report's schema says
  const byFile = new Map<string, unknown[]>(names.map((name) => [name, []]));
  for (const event of events) if (event.type === 'violation') byFile.get(event.file)!.push(asDiagnostic(event));
  return byFile;
}

let client: LspClient;
beforeAll(async () => {
  client = await LspClient.start({ cwd: folder, initializationOptions: ALL });
});
afterAll(async () => {
  expect(await client.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});

/** Opens the text, and closes it again when its diagnostics are there. */
async function diagnosticsOf(name: string, text: string, language = 'json', by = client) {
  const uri = await by.open(join(folder, name), text, language);
  const found = await by.pull(uri);
  await by.notify('textDocument/didClose', { textDocument: { uri } });
  return found;
}

describe('diagnostics', () => {
  const FIXTURES = fastGlob.sync('fixtures/**/*.{json,ndjson,jsonl}', { cwd: ROOT }).sort();
  const isText = (bytes: Buffer): boolean => Buffer.from(bytes.toString()).equals(bytes);

  it('are the violations of the report, for every fixture in one of the framings', async () => {
    const texts = new Map<string, string>();
    for (const [i, name] of FIXTURES.entries()) {
      const bytes = readFileSync(join(ROOT, name));
      if (!isText(bytes)) continue;
      // By the command line, every fixture is read in every framing.
      texts.set(`f${i}.${['json', 'ndjson', 'txt'][i % 3]!}`, bytes.toString());
    }
    for (const [name, text] of texts) writeFileSync(join(folder, name), text);
    const expected = await reported([...texts.keys()]);
    let count = 0;
    for (const [name, text] of texts) {
      const found = await diagnosticsOf(name, text);
      expect([name, found.map(plain)]).toEqual([name, expected.get(name)]);
      count += found.length;
    }
    expect(count).toBeGreaterThan(300);
    for (const name of texts.keys()) rmSync(join(folder, name));
  });

  it('are published after a change, and are the same when they are asked for', async () => {
    const uri = await client.open(join(folder, 'p.ndjson'), `${VALID}\n{"emoji":1}\n`, 'jsonl');
    const first = await client.diagnosticsOf(uri);
    expect(first.map(({ code }) => code)).toEqual(['required', 'required', 'type']);
    expect(await client.pull(uri)).toEqual(first);
    await client.change(uri, [{ range: rangeOf(1, 9, 1, 10), text: '""' }]);
    expect((await client.diagnosticsOf(uri)).map(({ code }) => code)).toEqual(['required', 'required']);
    await client.notify('textDocument/didClose', { textDocument: { uri } });
    await client.until(() => client.published.at(-1)!.diagnostics.length === 0);
  });

  it('are of the config: rules, kinds, schemas, advice, baseline', async () => {
    const config = {
      rules: { required: 'warning', additionalProperties: 'off' },
      kinds: [{ files: 'contracts/**', kind: 'contract' }],
      advice: true,
    };
    writeFileSync(join(folder, 'paylint.config.json'), JSON.stringify(config));
    const text = `{"emoji":" ","x":1}\n${VALID}\n`;
    writeFileSync(join(folder, 'c.ndjson'), text);
    expect((await diagnosticsOf('c.ndjson', text)).map(plain)).toEqual(
      (await reported(['c.ndjson'], [])).get('c.ndjson'),
    );
    const [first] = await diagnosticsOf('contracts/a.json', '{}');
    expect(first).toMatchObject({ code: 'required', severity: 2 });
    rmSync(join(folder, 'paylint.config.json'));
    await client.notify('workspace/didChangeWatchedFiles', { changes: [] });
  });

  it('have what is wrong inside the closest alternative, at its place, and in words for clients that show nothing else', async () => {
    const part = join(folder, 'union');
    mkdirSync(part);
    const card = {
      properties: {
        type: { const: 'card' },
        token: { anyOf: [{ properties: { id: { type: 'string' } } }, { type: 'null' }] },
      },
    };
    const schema = { properties: { pay: { oneOf: [card, { properties: { type: { const: 'iban' } } }] } } };
    writeFileSync(join(part, 's.json'), JSON.stringify(schema));
    writeFileSync(join(part, 'paylint.config.json'), '{"schema":"s.json"}');
    const text = '{"pay":{"type":"card",\r"token":{"id":5}}}';
    for (const relatedInformation of [true, undefined, false]) {
      const capabilities = { textDocument: { publishDiagnostics: { relatedInformation: relatedInformation! } } };
      const other = await LspClient.start({ cwd: part, capabilities });
      const uri = await other.open(join(part, 'a.ndjson'), text, 'jsonl');
      const [found, ...more] = await other.diagnosticsOf(uri);
      expect(more).toEqual([]);
      const causes = [
        'anyOf at /pay/token: an object matches none of the 2 alternatives; the closest is s.json#/properties/pay/oneOf/0/properties/token/anyOf/0',
        'type at /pay/token/id: expected a string, found 5',
      ];
      expect(found!.relatedInformation).toEqual([
        {
          location: { uri, range: { start: { line: 1, character: 8 }, end: { line: 1, character: 16 } } },
          message: causes[0],
        },
        {
          location: { uri, range: { start: { line: 1, character: 14 }, end: { line: 1, character: 15 } } },
          message: causes[1],
        },
      ]);
      const message =
        'an object matches none of the 2 alternatives; the closest is that for "type": "card", s.json#/properties/pay/oneOf/0';
      expect(found!.message).toBe([message, ...(relatedInformation === false ? causes : [])].join('\n'));
      await other.stop();
    }
  });

  it('are at most a thousand, and the last one says how many more there are', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `{"@context":"c","@type":"e","emoji":${i}}`);
    const uri = await client.open(join(folder, 'many.ndjson'), lines.join('\n'), 'jsonl');
    const found = await client.pull(uri);
    expect(found).toHaveLength(1000);
    expect(found.at(-1)!.message).toBe('2001 more violations are not shown; paylint validate lists them all');
    expect(found.at(-1)!.range.start.line).toBe(999);
    const removed = { range: rangeOf(0, 0, 2500, 0), text: '' };
    await client.change(uri, [removed]);
    expect(await client.pull(uri)).toHaveLength(500);
    const whole = [{ text: `[${lines.join(',\n')}]` }];
    const array = await client.open(join(folder, 'many.json'), whole[0]!.text);
    expect((await client.pull(array)).at(-1)!.message).toContain('2001 more violations');
  });

  it('are not pushed to a client that asks for them', async () => {
    const other = await LspClient.start({ cwd: folder, capabilities: { textDocument: { diagnostic: {} } } });
    const uri = await other.open(join(folder, 'a.ndjson'), '{}', 'jsonl');
    const params = { textDocument: { uri } };
    const { items } = await other.request<{ items: unknown[] }>('textDocument/diagnostic', params);
    expect(items.length).toBeGreaterThan(0);
    expect(other.published).toEqual([]);
    await other.stop();
  });
});

function rangeOf(line: number, character: number, endLine: number, endCharacter: number): Range {
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}

describe('files that may be no payloads', () => {
  let own: LspClient;
  beforeAll(async () => {
    own = await LspClient.start({ cwd: folder });
  });
  afterAll(async () => {
    await own.stop();
  });

  it.each([
    ['package.json', '{"name": "x", "type": "module"}', 0],
    ['tsconfig.json', '{"compilerOptions": {}}', 0],
    ['broken.json', '{"name": ', 0],
    ['contract.json', '{"@type": "Contract"}', 7],
    ['near.json', '{"@type": "Contarct"}', 1],
    ['half.json', '{"@type": "Contract", "na', 1],
    ['list.json', '[{"@type": "Contract"}, {}]', 8],
    ['data.ndjson', '{"name": "x"}', 1],
    ['lines', '{"name": "x"}', 1],
  ])('are silent, or are not: %s', async (name, text, count) => {
    const language = /json$/.test(name) ? 'json' : 'jsonl';
    expect(await diagnosticsOf(name, text, language, own)).toHaveLength(count);
  });

  it('are judged if a setting says so, or the config', async () => {
    expect(await diagnosticsOf('data.json', '{}', 'json', own)).toHaveLength(0);
    await own.notify('workspace/didChangeConfiguration', { settings: { paylint: { validate: 'all' } } });
    expect(await diagnosticsOf('data.json', '{}', 'json', own)).toHaveLength(1);
    await own.notify('workspace/didChangeConfiguration', { settings: { paylint: { validate: 'off' } } });
    expect(await diagnosticsOf('data.ndjson', '{}', 'jsonl', own)).toHaveLength(0);
    await own.notify('workspace/didChangeConfiguration', { settings: {} });
    const kinds = [{ files: 'data.json', kind: 'emoji' }];
    writeFileSync(join(folder, 'paylint.config.json'), JSON.stringify({ kinds, ignore: ['x.ndjson'] }));
    await own.notify('workspace/didChangeWatchedFiles', { changes: [] });
    expect(await diagnosticsOf('data.json', '{}', 'json', own)).toHaveLength(3);
    expect(await diagnosticsOf('x.ndjson', '{}', 'jsonl', own)).toHaveLength(0);
    rmSync(join(folder, 'paylint.config.json'));
  });
});

describe('a config that a setting names', () => {
  let own: LspClient;
  beforeAll(async () => {
    mkdirSync(join(folder, 'own'));
    const config = {
      kinds: [{ files: '../beside/*.json', kind: 'emoji' }],
      ignore: ['y/**', '../*.ndjson'],
      baseline: 'known.json',
    };
    writeFileSync(join(folder, 'own/named.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'own/known.json'), '{"format":"paylint-baseline","version":1}\n');
    own = await LspClient.start({ cwd: folder });
  });
  afterAll(async () => {
    await own.stop();
    rmSync(join(folder, 'own'), { recursive: true });
  });

  it.each([
    ['in another folder are matched by their path from its folder', 'payloads', 'beside/a.json', 3],
    ['in another folder are left out in the same way', 'all', 'a.ndjson', 0],
    ['in a folder whose name begins like that of its folder are not in it', 'all', 'ownay/a.json', 1],
    ['that are the config are no payloads', 'all', 'own/named.json', 0],
    ['that have the name of configs are no payloads', 'all', 'beside/paylint.config.json', 0],
    ['that are its baseline are no payloads', 'all', 'own/known.json', 0],
  ])('says what files are: those %s', async (_, validate, name, count) => {
    const settings = { paylint: { validate, config: join(folder, 'own/named.json') } };
    await own.notify('workspace/didChangeConfiguration', { settings });
    const language = name.endsWith('.ndjson') ? 'jsonl' : 'json';
    expect(await diagnosticsOf(name, '{}', language, own)).toHaveLength(count);
  });

  it('gives every file its kind, if it has one for all, whatever its globs say', async () => {
    const kinds = [{ files: 'e.json', kind: 'emoji' }];
    writeFileSync(join(folder, 'e.json'), '{}');
    writeFileSync(join(folder, 'paylint.config.json'), JSON.stringify({ kind: 'contract', kinds }));
    const found = await diagnosticsOf('e.json', '{}');
    expect(found.map(plain)).toEqual((await reported(['e.json'], [])).get('e.json'));
    for (const name of ['e.json', 'paylint.config.json']) rmSync(join(folder, name));
    await client.notify('workspace/didChangeWatchedFiles', { changes: [] });
  });
});

describe('changes', () => {
  const LINES = [
    VALID,
    '{"emoji":1}',
    '',
    '{"@type":"Contract"}',
    'oops',
    `{"a":1} {"a":2}`,
    '\ufeff',
    `  ${VALID}`,
    '{"@type":"Artcle","x":[1,2',
  ];
  // Always the same ones for a seed.
  let seed = 42;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const some = (most: number): string =>
    Array.from({ length: random(most) }, () => LINES[random(LINES.length)]!).join('\n');

  it.each(['lines.ndjson', 'text.json', 'stream.txt'])('of %s give what the whole text gives', async (name) => {
    let text = some(40);
    const uri = await client.open(join(folder, name), text);
    for (let i = 0; i < 60; i++) {
      const [from, to] = [random(text.length + 1), random(text.length + 1)].sort((a, b) => a - b);
      const end = random(3) === 0 ? to! : Math.min(from! + random(4), text.length);
      const added = random(4) === 0 ? '' : some(4);
      const at = (offset: number) => {
        const before = text.slice(0, offset).split('\n');
        return { line: before.length - 1, character: before.at(-1)!.length };
      };
      await client.change(uri, [{ range: { start: at(from!), end: at(end) }, text: added }]);
      text = text.slice(0, from) + added + text.slice(end);
      if (!text.isWellFormed()) continue;
      const changed = await client.pull(uri);
      const fresh = await diagnosticsOf(`fresh-${name}`, text);
      expect([text, changed]).toEqual([text, fresh]);
    }
    await client.notify('textDocument/didClose', { textDocument: { uri } });
  });
});

/** A document with a host of its own. */
async function documentOf(text: string, paylints: readonly Paylint[], longest: number, name = 'long.ndjson') {
  let asked = 0;
  const instanceOf = async () => {
    const paylint = paylints[Math.min(asked++, paylints.length - 1)]!;
    return { config: '', paylintFor: async () => paylint, broken: null, rules: NO_FILE_RULES, input: null };
  };
  const languageId = name.endsWith('.json') ? 'json' : 'jsonl';
  const item = { uri: `file:///${name}`, languageId, version: 1, text };
  const document = new OpenDocument(item, {
    longest,
    rulesPage: null,
    settings: () => DEFAULTS,
    instanceOf,
    publish: () => {},
    fail: (error) => {
      throw error;
    },
  });
  return document;
}

describe('a change', () => {
  it('before the first payload changes what is said of that', async () => {
    const document = await documentOf(`\noops\n${VALID}`, [await openPaylint()], 1 << 20);
    const messages = async () => (await document.settled()).map(({ message }) => message);
    const first = 'this is not JSON: it begins with "oops"';
    const later = 'a string needs double quotes: write "oops"';
    expect(await messages()).toEqual([first]);
    document.change([{ range: rangeOf(0, 0, 0, 0), text: VALID }], 2);
    expect(await messages()).toEqual([later]);
    document.change([{ range: rangeOf(0, 0, 0, VALID.length), text: '' }], 3);
    expect(await messages()).toEqual([first]);
    document.close();
  });

  it('while lines are judged takes effect: nothing is found on lines that have moved', async () => {
    const paylint = await openPaylint();
    const wrong = VALID.replace('"c"', '1');
    const lines = Array.from({ length: 40_000 }, (_, i) => (i % 10_000 === 0 ? wrong : VALID));
    let changes = 0;
    const changing = new Proxy(paylint, {
      get(target, name: keyof Paylint) {
        if (name !== 'payloads') return target[name];
        return async function* (...[input, options]: Parameters<Paylint['payloads']>) {
          for await (const verdict of target.payloads(input, options)) {
            yield verdict;
            if (changes < 6 && verdict.violations.length > 0)
              document.change([{ range: rangeOf(0, 0, 0, 0), text: `${VALID}\n` }], 2 + changes++);
          }
        };
      },
    });
    const document = await documentOf(lines.join('\n'), [changing as Paylint], 100 << 20);
    const found = (await document.settled()).map(({ range }) => range.start.line);
    expect([changes, found]).toEqual([6, [6, 10_006, 20_006, 30_006]]);
    document.close();
  });
});

describe('a long text', () => {
  it('has the diagnostics that a short one has, also after changes', async () => {
    const wrong = '{"@context":"👍","@type":"e","emoji":"👍","extra":1}';
    const extra = wrong.indexOf('"extra"');
    const long = `${VALID},\n`.repeat(27_000);
    for (const [name, text, given] of [
      ['long.ndjson', long.replaceAll(',\n', '\n'), `${VALID}\nTEXT${wrong}\n`],
      ['long.json', long, `[\nTEXT${wrong},\n{}]`],
    ] as const) {
      const uri = await client.open(join(folder, name), given.replace('TEXT', text));
      const isAt = async (line: number): Promise<void> => {
        const [first] = await client.pull(uri);
        expect(first).toMatchObject({ code: 'additionalProperties', range: rangeOf(line, extra, line, extra + 7) });
      };
      await isAt(27_001);
      await client.change(uri, [{ range: rangeOf(1, 0, 1, 0), text: `${text}${text}` }]);
      await isAt(81_001);
      await client.change(uri, [{ range: rangeOf(1, 0, 54_001, 0), text: '' }]);
      await isAt(27_001);
      await client.notify('textDocument/didClose', { textDocument: { uri } });
    }
  });

  it.each(['ndjson', 'json'])(
    'beyond the limit has one diagnostic, and those of its content below it: %s',
    async (extension) => {
      const text = '{"@context":"c","@type":"e","emoji":1}';
      const document = await documentOf(text, [await openPaylint()], 40, `a.${extension}`);
      const rules = async () => (await document.settled()).map(({ code }) => code);
      expect(await rules()).toEqual(['type']);
      document.change([{ range: rangeOf(0, 0, 0, 0), text: '   ' }], 2);
      expect(await document.settled()).toEqual([
        {
          range: rangeOf(0, 0, 0, 0),
          severity: 2,
          source: 'paylint',
          message: `this text is longer than ${40 / (1 << 20)} MB and is not checked here; paylint validate a.${extension} checks it`,
        },
      ]);
      expect(document.payloads).toEqual([]);
      document.change([{ range: rangeOf(0, 0, 0, 3), text: '' }], 3);
      expect(await rules()).toEqual(['type']);
      document.close();
    },
  );

  it('is one of more than 16 MB', async () => {
    const uri = await client.open(join(folder, 'much.ndjson'), `${VALID}\n`.repeat((16 << 20) / VALID.length));
    expect((await client.pull(uri)).map(({ message }) => message)).toEqual([
      'this text is longer than 16 MB and is not checked here; paylint validate much.ndjson checks it',
    ]);
    await client.notify('textDocument/didClose', { textDocument: { uri } });
  });
});

describe('what is found while the config changes', () => {
  it.each([['{"emoji":1}'], ['[1]']])('does not count: %s', async (text) => {
    const paylints = [await openPaylint(), await openPaylint({ rules: { required: 'off', 'unknown-kind': 'off' } })];
    const document = await documentOf(text, paylints, 1000);
    const first = document.settled();
    await Promise.resolve();
    document.forget();
    const rules = (await first).map(({ code }) => code);
    expect(rules).toEqual(text === '[1]' ? [] : ['type']);
    document.close();
  });
});
