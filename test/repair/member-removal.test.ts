/** What goes with one member, which is found by the place of its name or of its value; and how many names are counted by themselves. */
import { describe, expect, it } from 'vitest';
import { Children } from '../../src/json/children.ts';
import { deletionsOf, NO_REMOVALS } from '../../src/json/edits.ts';
import { memberRemoval, RemovedMembers } from '../../src/repair/removal-edits.ts';

const TEXTS = [
  '{"a":1}',
  '{"a" : {"b":[1,{"c":"x"},"y"]} , "d" :\n "e"}',
  String.raw`{"a\"b":"\"","\\":{"\\\\":2,"\"":3},"c:":"d:\\", ":":[" : ",{"x":" ,"}]}`,
  String.raw`[{"a":1,"\\\"":"2"},"k",{"b":{"a":[]}}]`,
];

interface Member {
  readonly name: number;
  readonly value: number;
  readonly path: readonly (string | number)[];
}

/** All members, and the indexes of all other values. */
function placesIn(bytes: Buffer, at = 0, path: Member['path'] = []): { members: Member[]; others: number[] } {
  if (!'{['.includes(String.fromCharCode(bytes[at]!))) return { members: [], others: [] };
  const children = new Children(bytes, at, bytes.length);
  const all: ReturnType<typeof placesIn> = { members: [], others: [] };
  while (children.next()) {
    const own = [...path, children.isObject ? children.name() : children.index];
    if (children.isObject) all.members.push({ name: children.nameStart, value: children.start, path: own });
    else all.others.push(children.start);
    const below = placesIn(bytes, children.start, own);
    all.members.push(...below.members);
    all.others.push(...below.others);
  }
  return all;
}

function without(text: string, path: Member['path']): unknown {
  const root: unknown = JSON.parse(text);
  const object = path.slice(0, -1).reduce((inner, token) => (inner as Record<string, unknown>)[token], root);
  delete (object as Record<string, unknown>)[path.at(-1)!];
  return root;
}

describe('one member of a text', () => {
  it.each(TEXTS)('goes by the place of its name, or of its value: %s', (text) => {
    const bytes = Buffer.from(text);
    const { members, others } = placesIn(bytes);
    expect(members.length).toBeGreaterThan(0);
    for (const { name, value, path } of members)
      for (const at of [name, value]) {
        const removals = memberRemoval(bytes, { start: 0, end: bytes.length }, at);
        const { offsets, lengths } = deletionsOf(removals);
        expect([at, removals.length, offsets.length]).toEqual([at, 1, 1]);
        const left = text.slice(0, offsets[0]) + text.slice(offsets[0]! + lengths[0]!);
        expect([at, JSON.parse(left)]).toEqual([at, without(text, path)]);
      }
    for (const at of [0, ...others])
      expect([at, memberRemoval(bytes, { start: 0, end: bytes.length }, at)]).toEqual([at, NO_REMOVALS]);
  });
});

it('more than 1,000 names have one pattern together', () => {
  const names = Array.from({ length: 1500 }, (_, i) => `m${i}`);
  const bytes = Buffer.from(`{${names.map((name) => `"${name}":1`).join()}}`);
  const removed = new RemovedMembers();
  const children = new Children(bytes, 0, bytes.length);
  while (children.next()) removed.add(children.nameStart, '/x', children.name());
  const { patterns, length } = removed.removals(bytes, bytes.length);
  expect([length, patterns.size, patterns.get('/x/m0'), patterns.get('/x/*')]).toEqual([1500, 1001, 1, 500]);
});
