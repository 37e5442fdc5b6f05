/**
 * What the library has for editors and converters: the edits of `fill`, the kind and the framing of a text, what rules and
 * members mean, and completion.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { type FillEdit, openPaylint, UsageError } from '../../src/index.ts';
import { ROOT } from '../user-folder.ts';
import { paylint as commandLine } from '../world.ts';

const paylint = await openPaylint();
const FIXTURES = fastGlob.sync('fixtures/{content,contract,emoji,detection}/**/*.json', { cwd: ROOT }).sort();
const bytesOf = (name: string): Buffer => readFileSync(join(ROOT, name));

/** The text with the edits, from the last to the first. */
function edit<Text extends string | Buffer>(text: Text, edits: readonly FillEdit[]): Text {
  let edited: string | Buffer = text;
  for (const { offset, length, text: added } of [...edits].reverse()) {
    edited =
      typeof edited === 'string'
        ? edited.slice(0, offset) + added + edited.slice(offset + length)
        : Buffer.concat([edited.subarray(0, offset), Buffer.from(added), edited.subarray(offset + length)]);
  }
  return edited as Text; // as it was given
}

describe('the edits of fill', () => {
  const TEXT = '\ufeff{"@type": "Contract", "name": "👍é", "coverage": {"minAge": 1}}';

  it.each([false, true])('make the text, as a string and as bytes; deep: %s', (deep) => {
    let edits = 0;
    for (const name of FIXTURES) {
      const bytes = bytesOf(name);
      const inBytes = paylint.fill(bytes, { deep });
      expect([name, edit(bytes, inBytes.edits)]).toEqual([name, Buffer.from(inBytes.text)]);
      edits += inBytes.edits.length;
      const text = bytes.toString();
      if (!Buffer.from(text).equals(bytes)) continue;
      const filled = paylint.fill(text, { deep });
      expect([name, edit(text, filled.edits)]).toEqual([name, filled.text]);
    }
    expect(edits).toBeGreaterThan(50);
  });

  it('are in code units of a string, and in bytes of bytes', () => {
    const [ofString] = paylint.fill(TEXT).edits;
    const [ofBytes] = paylint.fill(Buffer.from(TEXT)).edits;
    expect(ofString).toMatchObject({ length: 0, payload: 0, pointer: '' });
    expect(ofBytes).toEqual({ ...ofString, offset: Buffer.byteLength(TEXT.slice(0, ofString!.offset)) });
    expect(ofBytes!.offset).toBeGreaterThan(ofString!.offset);
  });

  it('have one for each object, in order, with its pointer', () => {
    const { edits, fills } = paylint.fill(readFileSync(join(ROOT, 'docs/examples/contract.json'), 'utf8'));
    expect(edits.length).toBeGreaterThan(1);
    expect(edits.map(({ offset }) => offset)).toEqual(edits.map(({ offset }) => offset).sort((a, b) => a - b));
    for (const { pointer } of fills)
      expect(edits.map((one) => one.pointer)).toContain(pointer.slice(0, pointer.lastIndexOf('/')));
  });

  it('are none if nothing is missing', () => {
    expect(paylint.fill('{}').edits).toEqual([]);
    expect(paylint.fill('{').edits).toEqual([]);
  });
});

describe('kindOf', () => {
  it('is the kind that validate says, for every fixture', () => {
    const kinds = new Set<string | null>();
    for (const name of FIXTURES) {
      const bytes = bytesOf(name);
      const kind = paylint.kindOf(bytes);
      expect([name, kind]).toEqual([name, paylint.validate(bytes).kind]);
      kinds.add(kind);
    }
    expect(kinds).toEqual(new Set(['content', 'contract', 'emoji', null]));
  });

  it('is the kind that the instance was opened for', async () => {
    const contracts = await openPaylint({ kind: 'contract' });
    expect(contracts.kindOf('{"@type": "Article"}')).toBe('contract');
    expect(contracts.kindOf('{"@type": ')).toBe(null);
  });

  it('takes texts and bytes only, and no options', () => {
    for (const value of [null, 5, {}]) expect(() => paylint.kindOf(value as never)).toThrow(TypeError);
    const any = paylint as unknown as Record<string, (input: unknown, options?: unknown) => unknown>; // as JavaScript calls it
    expect(() => any.kindOf!('1', { kind: 'emoji' })).toThrow(UsageError);
  });
});

describe('framingOf', () => {
  it.each([
    ['{"a": 1}\n{"a": 2}\n', 'a.json', 'json'],
    ['{"a": 1}\n', 'A.NDJSON', 'lines'],
    ['{"a": 1}\n', 'a.jsonl.gz', 'lines'],
    ['{"a": 1}\n{"a": 2}\n', 'a.txt', 'lines'],
    ['{"a": 1}\n{"a": 2}\n', undefined, 'lines'],
    ['[{"a": 1},\n{"a": 2}]\n', undefined, 'json'],
    ['{\n"a": 1}\n{"a": 2}\n', undefined, 'stream'],
    ['\ufeff[1]', undefined, 'json'],
  ] as const)('of %j called %s', (text, name, framing) => {
    expect(paylint.framingOf(text, name)).toBe(framing);
    expect(paylint.framingOf(Buffer.from(text), name)).toBe(framing);
    expect(paylint.framingOf(gzipSync(text), name)).toBe(framing);
  });

  it('is decided by the beginning of a long text', () => {
    expect(paylint.framingOf(`[${'1, '.repeat(50_000)}1]`)).toBe('json');
    expect(paylint.framingOf(gzipSync('{"a": 1}\n'.repeat(50_000)))).toBe('lines');
  });

  it('takes texts, bytes and names only', () => {
    for (const value of [null, 5, {}]) expect(() => paylint.framingOf(value as never)).toThrow(TypeError);
    expect(() => paylint.framingOf('1', 5 as never)).toThrow(UsageError);
  });
});

describe('explain', () => {
  it.each([['minLength'], ['contract'], ['Comment'], ['contract/coverage/maxAge'], ['/0/coverage/maxAge'], ['name']])(
    'of %s is the data of the command line',
    async (subject) => {
      const { stdout } = await commandLine(['explain', subject, '--format', 'json', '--no-config'], { cwd: ROOT });
      expect(paylint.explain(subject)).toEqual(JSON.parse(stdout));
    },
  );

  it('lists the rules without a subject', () => {
    const data = paylint.explain();
    if (!('rules' in data)) throw new Error('expected rules');
    expect(new Set(data.rules.map(({ group }) => group))).toEqual(new Set(['own', 'schema', 'test']));
    expect(data.rules.map(({ rule }) => rule)).toContain('required');
  });

  it('has the members of a kind, and the numbers as the schema writes them', async () => {
    const data = paylint.explain('contract');
    expect(data).toMatchObject({ members: [{ kind: 'contract', path: '', required: true }] });
    const { members } = 'members' in data ? data.members[0]! : { members: [] };
    expect(members).toContainEqual({ name: 'coverage', required: true });
    const schema = join(ROOT, 'test/tmp/long-number.schema.json');
    writeFileSync(schema, '{"properties": {"n": {"enum": ["a", 12345678901234567890], "maximum": 2}}}');
    const numbers = await openPaylint({ schema });
    expect(numbers.explain('n')).toMatchObject({ members: [{ numbers: { 'enum/1': '12345678901234567890' } }] });
    writeFileSync(schema, '{"properties": {"n": {"default": {"x": 9007199254740993}}}}');
    expect((await openPaylint({ schema })).explain('n')).toMatchObject({
      members: [{ numbers: { 'default/x': '9007199254740993' } }],
    });
  });

  it('has a member of alternatives once for each, with which, and needs no indexes', async () => {
    const card = {
      title: 'Card',
      required: ['token'],
      properties: { type: { const: 'card' }, token: { type: 'string' } },
    };
    const instance = await openPaylint({
      schema: {
        properties: {
          pays: {
            type: 'array',
            items: { anyOf: [{ $ref: '#/$defs/card' }, { properties: { token: { type: 'null' } } }] },
          },
        },
        $defs: { card },
      },
    });
    for (const subject of ['/pays/0/token', 'pays/token', 'token', '/pays/token', 'pays/*/token'])
      expect([subject, instance.explain(subject)]).toMatchObject([
        subject,
        {
          members: [
            {
              path: 'pays/*/token',
              required: true,
              schema: { type: 'string' },
              alternatives: [{ title: 'Card', tag: { name: 'type', value: 'card' } }],
            },
            { path: 'pays/*/token', required: false, schema: { type: 'null' }, alternatives: [{}] },
          ],
        },
      ]);
    expect(() => instance.explain('pays/tokn')).toThrow('did you mean "pays/token"?');
  });

  it('follows schemas that refer to themselves in alternatives, to an end', async () => {
    const names = ['left', 'right', 'a', 'b', 'c', 'd'];
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
    const instance = await openPaylint({ schema: { oneOf: names.map((name) => ({ required: [name], properties })) } });
    const found = instance.explain('left/right/a');
    expect('members' in found && found.members.length).toBeGreaterThan(1);
    expect(() => instance.explain('left/none')).toThrow(UsageError);
  });

  it('refuses what is not there, with the near miss', () => {
    expect(() => paylint.explain('minLenght')).toThrow('did you mean "minLength"?');
    expect(() => paylint.explain(5 as never)).toThrow(UsageError);
  });
});

describe('complete', () => {
  /** The labels at `|` in the text, and the text with the first item of a label in its place. */
  const at = (marked: string, instance = paylint) => {
    const offset = marked.indexOf('|');
    const text = marked.replace('|', '');
    const found = instance.complete(text, offset);
    const put = (label: string): string => {
      const item = found.items.find((one) => one.label === label);
      if (item === undefined) throw new Error(`there is no ${label} among ${found.items.map((one) => one.label)}`);
      return text.slice(0, found.offset) + item.text + text.slice(found.offset + found.length);
    };
    return { ...found, labels: found.items.map(({ label }) => label), put };
  };
  const CONTRACT = '"@type": "Contract"';

  it('names the members of the kind that are missing, required ones first', () => {
    const { kind, pointer, items, labels } = at(`{${CONTRACT}, "name": "N", |}`);
    expect({ kind, pointer }).toEqual({ kind: 'contract', pointer: '' });
    expect(labels).toContain('coverage');
    expect(labels).not.toContain('name');
    expect(labels).not.toContain('@type');
    const required = items.map((item) => item.required);
    expect(required).toEqual([...required].sort((a, b) => Number(b) - Number(a)));
    expect(items.find(({ label }) => label === 'active')).toEqual({
      type: 'name',
      label: 'active',
      text: '"active"',
      required: true,
      value: 'false',
      title: 'Active',
      description: 'Whether the contract is active.',
    });
  });

  it.each([
    [`{${CONTRACT}, |`, 'coverage', `{${CONTRACT}, "coverage"`],
    [`{${CONTRACT}, "cov|`, 'coverage', `{${CONTRACT}, "coverage"`],
    [`{${CONTRACT}, cov|`, 'coverage', `{${CONTRACT}, "coverage"`],
    [`{${CONTRACT}, "cov|": {}}`, 'coverage', `{${CONTRACT}, "coverage": {}}`],
    [`{${CONTRACT}, "cov|, "name": ""}`, 'coverage', `{${CONTRACT}, "coverage", "name": ""}`],
    [`{"cov|", ${CONTRACT}}`, 'coverage', `{"coverage", ${CONTRACT}}`],
    [`{${CONTRACT}, "coverage": {"min|`, 'minAge', `{${CONTRACT}, "coverage": {"minAge"`],
    [`{${CONTRACT}, "active": t|}`, 'true', `{${CONTRACT}, "active": true}`],
    [`{${CONTRACT}, "active": |`, 'false', `{${CONTRACT}, "active": false`],
    ['{"@type": "Art|', '"Article"', '{"@type": "Article"'],
    ['{"@type": "Art|icle"}', '"Comment"', '{"@type": "Comment"}'],
    ['{"@type": |}', '"Contract"', '{"@type": "Contract"}'],
    ['[{"@type": |', '"Contract"', '[{"@type": "Contract"'],
    [`[{}, {${CONTRACT}, "coverage": {|}}, {}]`, 'maxAge', `[{}, {${CONTRACT}, "coverage": {"maxAge"}}, {}]`],
    ['{|', '@type', '{"@type"'],
    ['{\n  "emoji": "👍",\n  |\n}', '@context', '{\n  "emoji": "👍",\n  "@context"\n}'],
  ])('at %s offers %s', (text, label, expected) => {
    expect(at(text).put(label)).toBe(expected);
  });

  it.each([['{"a": 1 |}'], ['{"a" |: 1}'], ['{} |'], ['{"name": "a" "b|"}'], ['{"a|": 1} x']])(
    'offers nothing, or no payload, at %s',
    (text) => {
      expect(at(text).items.filter(({ type }) => type !== 'name')).toEqual([]);
    },
  );

  it.each([[''], [' \n'], ['[{"a": 1}, ]']])('offers the smallest valid payload of each kind in %j', (text) => {
    const marked = text === '[{"a": 1}, ]' ? '[{"a": 1}, |]' : `${text}|`;
    const { labels, items } = at(marked);
    expect(labels).toEqual(['content', 'contract', 'emoji']);
    for (const { label, text: payload } of items)
      expect(paylint.validate(payload)).toMatchObject({ kind: label, valid: true });
  });

  it('offers what other schemas say: alternatives, references, items, and a root that is an array', async () => {
    const schema = join(ROOT, 'test/tmp/complete.schema.json');
    const instance = await openPaylint({ schema: written(schema) });
    expect(at('[|]', instance).labels).toEqual(['{"a":1}']);
    expect(at('[{|}]', instance).labels).toEqual(['a', 'b', 'c']);
    expect(at('[{"b": |}]', instance).labels).toEqual(['"x"', '"y"', 'null']);
    expect(at('[{"c": {"x": |}}]', instance).labels).toEqual(['5']);
    expect(at('[{"p-1": |}]', instance).labels).toEqual(['7']);
  });

  it('offers numbers as the schema writes them', async () => {
    const schema = join(ROOT, 'test/tmp/complete-numbers.schema.json');
    const a = '{"const": 9007199254740993, "default": 9007199254740993.0}';
    const b = '{"enum": [9007199254740992, 9007199254740993, 0.1]}';
    writeFileSync(schema, `{"type": "object", "required": ["a"], "properties": {"a": ${a}, "b": ${b}}}`);
    const instance = await openPaylint({ schema });
    expect(at('{"b": |}', instance).labels).toEqual(['9007199254740992', '9007199254740993', '0.1']);
    expect(instance.complete('', 0).items.map(({ text }) => text)).toEqual(['{"a":9007199254740993.0}']);
  });

  function written(path: string): string {
    const item = {
      allOf: [{ $ref: '#/$defs/item' }],
      anyOf: [{ properties: { b: { enum: ['x', 'y', null] } }, patternProperties: { '^p-': { const: 7 } } }],
      if: true,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of schemas
      then: { properties: { c: { additionalProperties: { const: 5 } } } },
    };
    const $defs = { item: { type: 'object', required: ['a'], properties: { a: { const: 1 } } } };
    writeFileSync(path, JSON.stringify({ type: 'array', items: item, $defs }));
    return path;
  }

  it('offers for every prefix of a fixture, without throwing', () => {
    const name = FIXTURES.find((one) => one.startsWith('fixtures/contract/valid/'))!;
    const text = bytesOf(name).toString();
    for (let offset = 0; offset <= text.length; offset++) {
      const { offset: from, length } = paylint.complete(text.slice(0, offset), offset);
      expect(from + length).toBeLessThanOrEqual(offset);
      paylint.complete(text, offset);
    }
  });

  it('takes a string and an offset in it', () => {
    expect(() => paylint.complete(Buffer.from('{}') as never, 0)).toThrow(TypeError);
    for (const offset of [-1, 3, 0.5, Number.NaN, undefined])
      expect(() => paylint.complete('{}', offset as never)).toThrow(UsageError);
  });
});
