/**
 * The places of what `fill` inserts: those of a string are found without its bytes if it is on one line, and must be those of the bytes.
 */
import { expect, it } from 'vitest';
import { openPaylint } from '../../src/library/open.ts';

const LEAF = { type: 'object', required: ['d'], properties: { d: { default: 'é👍' }, n: { type: 'integer' } } };
const SCHEMA = {
  type: 'object',
  required: ['a', 'z'],
  properties: {
    a: LEAF,
    'b/~': LEAF,
    '*': LEAF,
    list: { type: 'array', items: { $ref: '#/$defs/leaf' } },
    inner: { $ref: '#/$defs/leaf' },
    other: { $ref: '#/$defs/leaf' },
    t: { type: 'string' },
    z: { default: 1.0 },
  },
  $defs: { leaf: LEAF },
};

const TEXTS = [
  '{"a":{"n":1}}',
  '{"t":"👍é✅","a":{"n":1},"b/~":{"n":2}}',
  '{"*":{"n":1},"a":{}}',
  '{"list":[{"n":1},{"d":1},{"n":3}],"t":"é","a":{"n":1}}',
  '{"inner":{"n":1},"t":"👍","other":{"n":2},"a":{"d":1}}',
  '{\n  "t": "👍",\n  "a": {\n    "n": 1\n  }\n}\n',
  '\ufeff{"t":"é","a":{"n":1}}',
  '  {"t":"\\n\\ud83d\\udc4d","a":{"n":1},"z":2}\r',
];

it.each(TEXTS)('are the same for a string and its bytes: %j', async (text) => {
  const paylint = await openPaylint({ schema: SCHEMA });
  for (let i = 0; i < 40; i++) {
    const own = paylint.fill(text);
    const bytes = Buffer.from(text);
    const other = paylint.fill(bytes);
    expect(own.text).toBe(Buffer.from(other.text).toString());
    expect(own.fills).toEqual(other.fills);
    expect(own.fills.length).toBeGreaterThan(0);
    const inUnits = other.edits.map((edit) => ({ ...edit, offset: bytes.toString('utf8', 0, edit.offset).length }));
    expect(own.edits).toEqual(inUnits);
    expect(own.valid).toBe(other.valid);
  }
});
