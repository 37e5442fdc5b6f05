/**
 * `openPaylint`: texts, values, streams and files, by instances with different schemas at the same time; and the examples of docs/reference/library.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { type FileEvent, openPaylint, SchemaError, SourceError, UsageError } from '../../src/index.ts';
import { ROOT } from '../user-folder.ts';
import { paylint as commandLine } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

const VALID = '{"@context":"c","@type":"e","emoji":"👍"}';
const INVALID = '{"@context":"c","@type":"e","emoji":1}';
const paylint = await openPaylint();

describe('what a schema lacks', () => {
  const refused = (schema: object, options: object = {}): Promise<unknown> => openPaylint({ schema, ...options });

  it.each([
    [{ $ref: 'https://x.org/a' }, 'refs: { "https://x.org/a": schema } says what it is'],
    [{ $ref: 'order#' }, 'no schema that was given has this $id; refs: [schema] makes a schema known by its $id'],
    [
      { $schema: 'https://x.org/meta', type: 'object' },
      'if it is a meta-schema of your own, refs: [schema] makes it known',
    ],
    [{ items: [{}] }, 'or name an earlier draft with "$schema" or draft: "7"'],
    [{ exclusiveMinimum: true }, 'or name draft-04 with "$schema" or draft: "4"'],
  ])('is an option, and no flag, in the message for %j', async (schema, words) => {
    await expect(refused(schema)).rejects.toThrow(words);
    await expect(refused(schema)).rejects.not.toThrow(/--[a-z]/);
  });

  it('is an option, and no flag, in warnings and for files', async () => {
    const schema = { definitions: { a: { type: 'integer' } }, properties: { a: { $ref: '#/definitions/a' } } };
    const { warnings } = await openPaylint({ schema });
    expect(warnings).toEqual([expect.stringMatching(/or give draft: "7"$/)]);
    expect((await openPaylint({ schema, draft: '7' })).warnings).toEqual([]);
    const path = join(folder, 'lacks.json');
    writeFileSync(path, JSON.stringify({ $ref: 'none.json' }));
    await expect(openPaylint({ schema: path })).rejects.toThrow('refs: [schema] makes a schema known by its $id');
    await expect(openPaylint({ schema: `${path}#/x` })).rejects.toThrow('the schema "#/x" leads to nothing');
  });

  it('is found by the names that shared schemas of Fastify have', async () => {
    const shared = {
      order: { $id: 'order', $ref: 'v1/item#' },
      'v1/item': { $id: 'v1/item', properties: { n: { type: 'integer' } } },
    };
    const schema = { properties: { a: { $ref: 'order#' }, n: { $ref: 'v1/item#/properties/n' } } };
    for (const refs of [Object.values(shared), shared]) {
      const { violations } = (await openPaylint({ schema, refs })).validateValue({ a: { n: 'x' }, n: 'x' });
      expect(violations.map(({ pointer }) => pointer)).toEqual(['/a/n', '/n']);
    }
  });
});

describe('validate', () => {
  it('says what is wrong, and where', () => {
    const { valid, kind, violations } = paylint.validate(`\n${INVALID}`);
    expect({ valid, kind }).toEqual({ valid: false, kind: 'emoji' });
    expect(violations).toMatchObject([
      { file: '<text>', line: 2, column: 37, offset: 37, pointer: '/emoji', rule: 'type' },
    ]);
  });

  it('takes bytes, a byte order mark, and white space around', () => {
    expect(paylint.validate(Buffer.from(`\ufeff ${VALID} \n`))).toEqual({ valid: true, kind: 'emoji', violations: [] });
  });

  it.each([
    ['', 'json-syntax'],
    ['[', 'json-syntax'],
    [Buffer.from([0xff, 0xfe, 0x31, 0]), 'json-encoding'],
    [`${'['.repeat(1001)}${']'.repeat(1001)}`, 'nested-too-deep'],
    ['[1]', 'unknown-kind'],
  ])('never throws for a bad payload: %j', (text, rule) => {
    expect(paylint.validate(text)).toMatchObject({ valid: false, violations: [{ rule }] });
  });

  it('takes half a surrogate pair for bytes that are not UTF-8', () => {
    const text = `{"@context":"c","@type":"e","emoji":"é\ud83d","reason":"\ude00"}`;
    expect(paylint.validate(text)).toMatchObject({
      valid: false,
      violations: [{ rule: 'json-encoding', column: 39, offset: 39 }],
    });
    expect(paylint.fill(text)).toMatchObject({ text, fills: [], valid: false });
  });

  it.each([[undefined], [null], [5], [[1]], [JSON.parse(VALID)]])('refuses what is no text: %j', (value) => {
    for (const judge of [paylint.validate, paylint.fill])
      expect(() => judge.call(paylint, value as string)).toThrow(/^expected a string or bytes, found .*validateValue/);
  });

  it('takes bytes of another realm', () => {
    const bytes = runInNewContext(`new Uint8Array([${Buffer.from(VALID).join()}])`) as Uint8Array;
    expect(paylint.validate(bytes).valid).toBe(true);
  });

  it('fetches no schema', async () => {
    for (const schema of ['https://example.org/a.json', new URL('https://example.org/a.json')])
      await expect(openPaylint({ schema })).rejects.toThrow(
        'only local files are read, nothing is fetched from a network',
      );
  });

  it('names no file of a schema without one', async () => {
    const schema = { properties: { a: { nullable: true } } };
    await expect(openPaylint({ schema, strictSchema: true })).rejects.toThrow(/^the schema has warnings.*\n#\//);
  });

  it('holds to the limits', async () => {
    const small = await openPaylint({ maxPayloadBytes: 10 });
    expect(small.validate(VALID).violations).toMatchObject([{ rule: 'payload-too-large' }]);
  });

  it('judges values, without places', () => {
    expect(paylint.validateValue(JSON.parse(VALID)).valid).toBe(true);
    expect(paylint.validateValue(JSON.parse(INVALID)).violations).toMatchObject([
      { pointer: '/emoji', rule: 'type', line: null, column: null, offset: null, endLine: null },
    ]);
  });

  it('has a failure for a value that JSON has no text for', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    for (const value of [undefined, () => {}, 1n, circle]) {
      const { valid, failure } = paylint.validateValue(value);
      expect([valid, typeof failure]).toEqual([false, 'string']);
    }
  });
});

describe('fill', () => {
  const MISSING = readFileSync(join(ROOT, 'docs/examples/contract.json'), 'utf8');

  it('adds what is missing, and gives a text as it is if nothing is', () => {
    const { text, fills } = paylint.fill(MISSING);
    expect(fills.length).toBeGreaterThan(0);
    expect(text.length).toBeGreaterThan(MISSING.length);
    expect(paylint.fill(text)).toMatchObject({ text, fills: [] });
  });

  it('gives bytes for bytes', () => {
    const { text } = paylint.fill(Buffer.from(MISSING));
    expect(Buffer.from(text).toString()).toBe(paylint.fill(MISSING).text);
  });

  it('does what the command line does', async () => {
    for (const deep of [false, true]) {
      writeFileSync(join(folder, 'm.json'), MISSING);
      const { stdout } = await commandLine(['fill', 'm.json', ...(deep ? ['--deep'] : [])], { cwd: folder });
      expect(paylint.fill(MISSING, { deep }).text).toBe(stdout);
    }
  });
});

describe('payloads', () => {
  const texts = async (input: Parameters<typeof paylint.payloads>[0]): Promise<string[]> => {
    const found: string[] = [];
    for await (const { index, valid, kind, text } of paylint.payloads(input))
      found.push(`${index} ${valid} ${kind} ${text}`);
    return found;
  };
  const BOTH = [`0 true emoji ${VALID}`, `1 false emoji ${INVALID}`];

  it('of bytes, compressed or not, of a stream and of a file', async () => {
    const lines = Buffer.from(`${VALID}\n\n ${INVALID}\n`);
    writeFileSync(join(folder, 'a.ndjson'), lines);
    expect(await texts(lines)).toEqual(BOTH);
    expect(await texts(gzipSync(lines))).toEqual(BOTH);
    expect(await texts(Readable.from([lines.subarray(0, 20), lines.subarray(20)]))).toEqual(BOTH);
    expect(await texts(join(folder, 'a.ndjson'))).toEqual(BOTH);
    expect(await texts(Buffer.from(`[${VALID} , ${INVALID}]`))).toEqual(BOTH);
  });

  it('come one by one, while the stream is read no further than needed', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        read++;
        yield `${VALID}\n`.repeat(10_000);
      }
    }
    let count = 0;
    for await (const { valid } of paylint.payloads(endless(), { input: 'lines' })) {
      expect(valid).toBe(true);
      if (++count === 30_000) break;
    }
    expect(read).toBeLessThan(60);
  });

  it('of strings that are cut inside a character', async () => {
    async function* units(): AsyncGenerator<string> {
      yield* `${VALID}\n\n ${INVALID}\n`.split('');
    }
    expect(await texts(units())).toEqual(BOTH);
    const half = Readable.from(['{"@context":"c","@type":"e","emoji":"\ud83d', Buffer.from('"}')]);
    expect(await texts(half)).toEqual(['0 false null {"@context":"c","@type":"e","emoji":"\ufffd\ufffd\ufffd"}']);
  });

  it('of bytes of another realm', async () => {
    const bytes = runInNewContext(`new Uint8Array([${Buffer.from(VALID).join()}])`) as Uint8Array;
    expect(await texts(bytes)).toEqual(BOTH.slice(0, 1));
    expect(await texts(Readable.from([bytes]))).toEqual(BOTH.slice(0, 1));
  });

  it('throw for a stream of anything else', async () => {
    for (const chunk of [{}, 5, [1]] as unknown as string[])
      await expect(texts(Readable.from([chunk]))).rejects.toThrow('expected a stream of strings or bytes, found');
  });

  it('throw for a file that is not there', async () => {
    await expect(texts(join(folder, 'none.json'))).rejects.toThrow(SourceError);
  });
});

describe('validateFiles', () => {
  it('gives the events of the ndjson report', async () => {
    writeFileSync(join(folder, 'b.ndjson'), `${VALID}\n${INVALID}\n`.repeat(100));
    const events: FileEvent[] = [];
    const summary = await paylint.validateFiles(['b.ndjson', 'none.json'], {
      cwd: folder,
      onEvent: (event) => events.push(event),
    });
    const { stdout } = await commandLine(['validate', 'b.ndjson', 'none.json', '--format', 'ndjson'], { cwd: folder });
    const said = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as FileEvent);
    const withoutTime = (event: FileEvent): unknown => ({ ...event, elapsedMs: 0 });
    expect(events.map(withoutTime)).toEqual(said.map(withoutTime));
    expect(summary).toMatchObject({ payloads: 200, invalid: 100, failures: 1, ok: false, exitCode: 2 });
  });

  it('refuses standard input, which the library does not read', async () => {
    await expect(paylint.validateFiles(['-'], { cwd: folder })).rejects.toThrow(
      new UsageError('- is standard input, which the library does not read; payloads(stream) reads a stream'),
    );
  });

  it.each([
    ['a.ndjson', {}, 'paths: expected a list of paths, such as ["a.json"]'],
    [['a.ndjson'], { ignore: 'b' }, 'ignore: expected a list of paths, such as ["a.json"]'],
    [['a.ndjson'], { cwd: new URL('file:///a') }, 'cwd: expected a path, as a string'],
    [['a.ndjson'], { threads: Number.NaN }, 'threads: expected a whole number, 1 or more, found NaN'],
  ] as [never, object, string][])('refuses %j with %j', async (paths, options, message) => {
    const said = paylint.validateFiles(paths, { cwd: folder, ...options });
    await expect(said).rejects.toThrow(new UsageError(message));
  });

  it('ends by the signal, with the counts so far', async () => {
    const stop = new AbortController();
    writeFileSync(join(folder, 'c.ndjson'), `${INVALID}\n`.repeat(60_000));
    const summary = await paylint.validateFiles(['c.ndjson'], {
      cwd: folder,
      threads: 1,
      signal: stop.signal,
      onEvent: () => stop.abort('enough'),
    });
    expect(summary.interrupted).toBe(true);
    expect(summary.payloads).toBeLessThan(60_000);
    expect(summary).toMatchObject({ ok: false, exitCode: 130 });
  });

  it.each([
    [['good.json'], true, 0],
    [['good.json', 'bad.json'], false, 1],
    [['bad.json', 'none.json'], false, 2],
    [['none.json'], false, 2],
    [['good.json', 'none*'], false, 2],
    [['empty.ndjson'], false, 2],
    [['folder'], false, 2],
    [[], false, 2],
  ])('of %j resolves with ok and the exit code of the command line: %s, %d', async (paths, ok, exitCode) => {
    writeFileSync(join(folder, 'good.json'), VALID);
    writeFileSync(join(folder, 'bad.json'), INVALID);
    writeFileSync(join(folder, 'empty.ndjson'), '');
    mkdirSync(join(folder, 'folder'), { recursive: true });
    expect(await paylint.validateFiles(paths, { cwd: folder })).toMatchObject({ ok, exitCode });
    if (paths.length > 0) expect((await commandLine(['validate', ...paths], { cwd: folder })).code).toBe(exitCode);
  });

  it('ends with the exit code of the signal that is the reason', async () => {
    const signal = AbortSignal.abort('SIGTERM');
    const { ok, exitCode, interrupted } = await paylint.validateFiles(['good.json'], { cwd: folder, signal });
    expect([ok, exitCode, interrupted]).toEqual([false, 143, true]);
  });
});

describe('instances', () => {
  it('with different schemas and fill modes work at the same time', async () => {
    writeFileSync(join(folder, 'n.json'), '{"type":"object","properties":{"n":{"type":"integer","default":7}}}');
    const [numbers, contracts] = await Promise.all([
      openPaylint({ schema: join(folder, 'n.json') }),
      openPaylint({ kind: 'contract' }),
    ]);
    expect(numbers.fill('{}').text).toBe('{"n":7}');
    expect(numbers.fill('{}', { deep: true }).text).toBe('{"n":7}');
    expect(numbers.validate('{"n":"x"}').violations).toMatchObject([{ rule: 'type', kind: 'n' }]);
    expect(contracts.validate(VALID).kind).toBe('contract');
    expect(numbers.kinds.map(({ name }) => name)).toEqual(['n']);
    const all = await Promise.all(
      [numbers, contracts, paylint].map((one) => one.validateFiles(['a.ndjson'], { cwd: folder })),
    );
    expect(all.map(({ valid }) => valid)).toEqual([2, 0, 1]);
  });

  it('may leave formats unjudged', async () => {
    writeFileSync(join(folder, 'f.json'), '{"format":"date"}');
    const schema = join(folder, 'f.json');
    expect((await openPaylint({ schema })).validate('"x"').valid).toBe(false);
    expect((await openPaylint({ schema, assertFormats: false })).validate('"x"').valid).toBe(true);
  });

  it.each([
    [
      'a reference to nothing, of a member that only deep filling makes',
      { required: ['a'], properties: { a: { $ref: '#/none' } } },
      'none',
    ],
    ['no meaning', { type: 'nmber' }, 'nmber'],
  ])('are not made of a schema with %s', async (_, schema, message) => {
    const path = join(folder, 'refused.json');
    writeFileSync(path, JSON.stringify(schema));
    const opened = openPaylint({ schema: path });
    await expect(opened).rejects.toThrow(SchemaError);
    await expect(opened).rejects.toThrow(message);
  });

  it.each([
    ['of another type', { properties: { x: { type: 'string', default: null } } }],
    ['of a text that is too short', { properties: { x: { minLength: 1, default: '' } } }],
    ['that is not listed', { properties: { x: { enum: [1], default: 2 } } }],
    ['in an alternative', { anyOf: [{ properties: { x: { enum: [1], default: 2 } } }] }],
    ['to which nothing leads', { $defs: { x: { enum: [1], default: 2 } } }],
    ['of elements', { properties: { x: { items: { enum: [1], default: 2 } } } }],
    ['of the root', { default: 1 }],
    ['that holds itself', { properties: { x: { $ref: '#', default: {} } } }],
    ['inside another one', { properties: { x: { default: {}, properties: { y: { not: true, default: 1 } } } } }],
    ['beside a reference to nothing of use', { $defs: { x: { $ref: '#/$defs/x', default: 1 } } }],
  ])('work as if a default that its schema does not allow was not there: one %s', async (_, schema) => {
    const path = join(folder, 'refused.json');
    const more = { type: 'object', required: ['x', 'y'] };
    const properties = { y: { default: 1 }, ...('properties' in schema ? schema.properties : {}) };
    writeFileSync(path, JSON.stringify({ ...schema, ...more, properties }));
    const paylint = await openPaylint({ schema: path });
    expect(paylint.isValid('{"y": 2, "x": {"y": 1}}')).toBe(paylint.validate('{"y": 2, "x": {"y": 1}}').valid);
    const missing = Object.entries(properties).some(([name, one]) => name === 'x' && 'properties' in one);
    for (let i = 0; i < 200; i++) {
      const { violations } = paylint.validate('{}');
      expect(violations.map(({ params, fixable }) => [params, fixable])).toEqual([
        [{ missing: 'x' }, missing],
        [{ missing: 'y' }, true],
      ]);
    }
    for (const deep of [false, true]) expect(() => paylint.fill('{}', { deep })).toThrow(SchemaError);
    expect(() => paylint.fill('{}')).toThrow(/^refused\.json:1:\d+: refused\.json#/);
  });

  it('say the same of a payload, whatever types others before it had', async () => {
    const path = join(folder, 'types.json');
    writeFileSync(path, '{"if": {"exclusiveMinimum": 1}, "then": {"type": "string"}}');
    const paylint = await openPaylint({ schema: path });
    const said = (text: string): string[] => paylint.validate(text).violations.map(({ message }) => message);
    const first = said('7');
    expect(first).toEqual([expect.stringMatching(/asks for this if it is a number greater than 1$/)]);
    expect(said('{}')).toEqual([expect.stringMatching(/asks for this because it is not a number$/)]);
    expect(said('7')).toEqual(first);
  });

  it('say under which condition a schema counts, although deep filling judges its parts first', async () => {
    const path = join(folder, 'condition.json');
    const dependent = { required: ['c'], properties: { c: { type: 'string' } } };
    writeFileSync(path, JSON.stringify({ dependentSchemas: { c: dependent } }));
    const paylint = await openPaylint({ schema: path });
    const { violations } = paylint.validate('{"c": {}}');
    expect(violations.map(({ message }) => message)).toEqual([
      'expected a string, found an object; the schema asks for this if there is the member "c"',
    ]);
  });

  it('are not made of what is not a schema, or for a kind that there is not', async () => {
    await expect(openPaylint({ schema: join(folder, 'none.json') })).rejects.toThrow(SchemaError);
    await expect(openPaylint({ kind: 'emojy' })).rejects.toThrow(UsageError);
  });

  it.each([
    { maxPayloadBytes: Number.NaN },
    { maxPayloadBytes: 0 },
    { maxPayloadBytes: 2 ** 40 },
    { maxDepth: -1 },
    { maxDepth: '9' as unknown as number },
  ])('are not made with a limit that is none: %j', async (options) => {
    await expect(openPaylint(options)).rejects.toThrow(UsageError);
  });

  it.each([
    [{ maxDept: 3 }, 'openPaylint has no option "maxDept"; did you mean "maxDepth"?'],
    [{ Schema: 'a' }, 'openPaylint has no option "Schema"; did you mean "schema"?'],
    [
      { cofnigs: 'a' },
      /^openPaylint has no option "cofnigs"; there are schema, draft, refs, config, kind, assertFormats/,
    ],
    [{ toString: 1 }, /no option "toString"/],
    [JSON.parse('{"__proto__":{"kind":"emoji"}}'), /no option "__proto__"/],
    [{ 'a\u001b[31m': 1 }, /no option "a\\u001b\[31m"/],
    ['a.json', 'openPaylint: expected an object with options'],
    [null, 'openPaylint: expected an object with options'],
    [['a'], 'openPaylint: expected an object with options'],
  ] as [never, string | RegExp][])('are not opened with %j', async (options, message) => {
    const opened = openPaylint(options);
    await expect(opened).rejects.toThrow(UsageError);
    await expect(opened).rejects.toThrow(message);
  });

  it('refuse unknown options of their methods', async () => {
    const any = paylint as unknown as Record<string, (input: unknown, options?: unknown) => unknown>; // as JavaScript calls them
    const refusal = (message: string): UsageError => new UsageError(message);
    expect(() => any.fill!('1', { depp: true })).toThrow(refusal('fill has no option "depp"; did you mean "deep"?'));
    expect(() => any.payloads!('a', { inptu: 'lines' })).toThrow(
      refusal('payloads has no option "inptu"; did you mean "input"?'),
    );
    expect(() => any.validate!('1', { kind: 'emoji' })).toThrow(
      refusal('validate has no option "kind"; it takes no options'),
    );
    expect(() => any.validateValue!(1, { kind: 'emoji' })).toThrow(
      refusal('validateValue has no option "kind"; it takes no options'),
    );
    await expect(any.validateFiles!(['a'], { thread: 2 })).rejects.toThrow(
      refusal('validateFiles has no option "thread"; did you mean "threads"?'),
    );
    await expect(any.validateFiles!(['a'], null)).rejects.toThrow(
      refusal('validateFiles: expected an object with options'),
    );
    expect(['1', '2'].map(any.validate!, paylint)).toHaveLength(2);
    expect(any.fill!('1', {})).toMatchObject({ valid: false });
  });

  it('know three framings, and other names of one', async () => {
    expect(() => paylint.payloads(Buffer.from('1'), { input: 'line' as 'lines' })).toThrow(UsageError);
    expect(() => paylint.payloads(Buffer.from('1'), { input: 'toString' as 'lines' })).toThrow(UsageError);
    for (const input of ['ndjson', 'jsonl'] as const) {
      const found: string[] = [];
      for await (const { violations } of paylint.payloads(Buffer.from('1 2\n3\n'), { input }))
        found.push(...violations.map(({ rule }) => rule));
      expect(found).toEqual(['json-syntax', 'unknown-kind']);
    }
  });
});

describe.each([['docs/reference/library.md', 3]])('%s', (name, least) => {
  const blocks = [...readFileSync(join(ROOT, name), 'utf8').matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  const examples = blocks.flatMap(([, language, code], i) =>
    language === 'js' ? [{ code: code!, said: blocks[i + 1]?.[1] === '' ? blocks[i + 1]![2]! : null }] : [],
  );

  it('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(least);
  });

  it.each(examples)('what an example prints is what it is said to print', ({ code, said }) => {
    const script = join(
      ROOT,
      'test/tmp',
      `example-${process.pid}-${examples.findIndex((one) => one.code === code)}.mjs`,
    );
    writeFileSync(script, code);
    try {
      const { stdout, stderr, status } = spawnSync(process.execPath, [script], { cwd: ROOT, encoding: 'utf8' });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      // What an example prints is below it, or in a comment at its end.
      const inComment = /\/\/ (.*)\n$/.exec(code)?.[1];
      if (said !== null) expect(stdout).toBe(said);
      else if (inComment !== undefined) expect(stdout).toBe(`${inComment}\n`);
      else expect(stdout).not.toBe('');
    } finally {
      rmSync(script);
    }
  });
});
