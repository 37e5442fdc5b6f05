/**
 * The options of `openPaylint` that the command line has from its flags and the config: rules, advice, baseline and config. Files give the events of
 * the command line's `ndjson` report.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type FileEvent, openPaylint, type PaylintOptions, type PayloadInput, UsageError } from '../../src/index.ts';
import { paylint as commandLine } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string | object): string => {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
  return path;
};

const EMOJI = '{"@context":"c","@type":"e","emoji":"👍","extra":1}';
const ODD = '{"@type":"Contract","@id":"/1","name":" "}';
write('in/a.ndjson', `${EMOJI}\n{"@context":"c","emoji":1}\n`);
write('in/b.json', `[${EMOJI}]`);
write('in/contracts/c.json', '{}');
write('in/drafts/d.json', '{}');

/** What the command line reports of `in/`, and what the library reports. */
async function both(flags: readonly string[], options: PaylintOptions) {
  const { stdout, code } = await commandLine(['validate', 'in', '--format', 'ndjson', ...flags], { cwd: folder });
  const said = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as FileEvent); // as the report's schema says
  const events: FileEvent[] = [];
  const paylint = await openPaylint(options);
  const { exitCode } = await paylint.validateFiles(['in'], { cwd: folder, onEvent: (event) => events.push(event) });
  const plain = (all: readonly FileEvent[]): unknown =>
    all.map((event) => (event.type === 'summary' ? { ...event, elapsedMs: 0, config: undefined } : event));
  expect(plain(events)).toEqual(plain(said));
  expect(exitCode).toBe(code);
  return { events, paylint };
}

async function payloadsOf(options: PaylintOptions, input: PayloadInput, file?: string) {
  const paylint = await openPaylint(options);
  const all = [];
  for await (const one of paylint.payloads(input, file === undefined ? {} : { file })) all.push(one);
  return all;
}

describe('rules', () => {
  const rules = { additionalProperties: 'warn', required: 'off' } as const;

  it('make violations warnings or leave them out, in texts, values, streams and files', async () => {
    const config = write('rules.config.json', { rules });
    await both(['--config', config], { rules });
    const paylint = await openPaylint({ rules });
    for (const verdict of [
      paylint.validate(EMOJI),
      paylint.validateValue(JSON.parse(EMOJI)),
      paylint.fill(EMOJI),
      ...(await payloadsOf({ rules }, Buffer.from(EMOJI))),
    ]) {
      expect(verdict).toMatchObject({
        valid: true,
        violations: [{ rule: 'additionalProperties', severity: 'warning' }],
      });
    }
    expect(paylint.validate('{"@context":"c","emoji":1}').violations.map(({ rule }) => rule)).toEqual(['type']);
  });

  it.each([
    [{ requierd: 'off' }, 'rules: there is no rule "requierd"; did you mean "required"?'],
    [{ required: 'no' }, 'rules: required can be error, warning, off, found no'],
    [{ 'json-syntax': 'off' }, 'rules: json-syntax can be error, found off'],
    [['required'], 'rules: expected an object such as { maxLength: "warning" }'],
  ])('refuses %j', async (wrong, message) => {
    await expect(openPaylint({ rules: wrong as never })).rejects.toThrow(new UsageError(message));
  });
});

describe('advice', () => {
  it('is given as warnings, in texts, streams and files', async () => {
    write('in/advice.ndjson', `${ODD}\n${ODD.replace('" "', '"N"')}\n`);
    const { events } = await both(['--no-config', '--advice'], { advice: true });
    const found = events.flatMap((event) => ('rule' in event && event.rule.startsWith('check/') ? [event.rule] : []));
    expect(found).toContain('check/blank-name');
    const paylint = await openPaylint({ advice: true });
    const rules = paylint.validate(ODD).violations.filter(({ severity }) => severity === 'warning');
    expect(rules.length).toBeGreaterThan(0);
    const [payload] = await payloadsOf({ advice: true }, Buffer.from(ODD));
    const facts = (all: readonly object[]): unknown => all.map((one) => ({ ...one, file: '' }));
    expect(facts(payload!.violations)).toEqual(facts(paylint.validate(ODD).violations));
  });
});

describe('baseline', () => {
  it('has violations that are not reported, in files and in sources with a path', async () => {
    const baseline = join(folder, 'known.json');
    await commandLine(['validate', 'in', '--no-config', '--baseline', baseline, '--update-baseline'], { cwd: folder });
    write('in/b.json', `[${EMOJI},${EMOJI}]`);
    await both(['--no-config', '--baseline', baseline], { baseline });
    const path = join(folder, 'in/b.json');
    for (const payloads of [
      await payloadsOf({ baseline }, path),
      await payloadsOf({ baseline }, Buffer.from(`[${EMOJI},${EMOJI}]`), path),
    ]) {
      expect(payloads.map(({ valid, violations }) => [valid, violations.length])).toEqual([
        [true, 0],
        [false, 1],
      ]);
    }
    await expect(openPaylint({ baseline: join(folder, 'none') })).rejects.toThrow('cannot read the baseline');
    writeFileSync(baseline, Buffer.concat([readFileSync(baseline), Buffer.from([0xff])]));
    await expect(openPaylint({ baseline })).rejects.toThrow(/known\.json is damaged: it is not UTF-8$/);
  });
});

describe('config', () => {
  it('says kinds, schemas, rules, limits and what is left out, and an option wins over it', async () => {
    write('own/number.schema.json', { type: 'object', required: ['n'] });
    const path = write('own.config.json', {
      kinds: [{ files: 'in/contracts/**', kind: 'contract' }],
      schemas: [{ files: 'in/b.json', schema: 'own/number.schema.json' }],
      ignore: ['in/drafts/'],
      rules: { required: 'warning' },
      maxPayloadBytes: '1K',
      advice: true,
      threads: 1,
    });
    const { events } = await both(['--config', path], { config: path });
    expect(events.flatMap((event) => ('kind' in event ? [event.kind] : []))).toContain('contract');
    await both(['--config', path, '--max-payload-bytes', '20'], { config: path, maxPayloadBytes: 20 });
    const paylint = await openPaylint({ config: path, rules: { required: 'error' }, advice: false });
    expect(paylint.validate('{"@type": "Contract"}').valid).toBe(false);
    const contracts = await payloadsOf({ config: path }, Buffer.from('{}'), join(folder, 'in/contracts/new.json'));
    expect(contracts).toMatchObject([{ kind: 'contract', valid: true }]);
  });

  it('warns of what changes verdicts on the command line only', async () => {
    const path = write('lines.config.json', { withDefaults: true, maxWarnings: 1 });
    expect((await openPaylint({ config: path })).warnings).toEqual([
      expect.stringMatching(/lines\.config\.json: withDefaults has no effect in the library: /),
    ]);
    const off = write('off.config.json', { withDefaults: false });
    expect((await openPaylint({ config: off })).warnings).toEqual([]);
  });

  it('is found nowhere unless it is named', async () => {
    write('paylint.config.json', { rules: { required: 'off' } });
    const paylint = await openPaylint({ config: false });
    expect(paylint.validate('{"@type": "Contract"}').violations.length).toBeGreaterThan(0);
    rmSync(join(folder, 'paylint.config.json'));
  });

  it.each([
    ['none.config.json', null, 'cannot read the config'],
    ['broken.config.json', '{', 'broken.config.json:1:2'],
    ['rule.config.json', { rules: { requierd: 'off' } }, 'did you mean "required"?'],
    ['kind.config.json', { kinds: [{ files: '*', kind: 'contarct' }] }, 'there is no kind "contarct"'],
    ['schema.config.json', { schema: 'none.json' }, 'schema.config.json#/schema: cannot read the schema none.json'],
    ['refs.config.json', { refs: ['none.json'] }, 'refs.config.json#/refs/0: cannot read none.json'],
  ])('is refused if it cannot be used: %s', async (name, content, message) => {
    const path = content === null ? join(folder, name) : write(name, content);
    const opened = openPaylint({ config: path });
    await expect(opened).rejects.toThrow(UsageError);
    await expect(opened).rejects.toThrow(message);
  });

  it('is a path or false', async () => {
    await expect(openPaylint({ config: true as never })).rejects.toThrow('config: expected a path, as a string');
  });
});
