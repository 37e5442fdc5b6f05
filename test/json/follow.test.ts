/**
 * From offsets to pointers and values: every value and every name of random texts, all or some of them asked for, and the container
 * around any place; beside `locate`, and a stack of brackets.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Follower, NOT_KEPT } from '../../src/json/follow.ts';
import { locate } from '../../src/json/locate.ts';
import { escapeToken, parsePointer } from '../../src/json/pointer.ts';

const json = fc.jsonValue({ maxDepth: 4 });
const indent = fc.constantFrom('', ' ', '\n\t');

/** The pointers of all values in `value`. */
function* pointersIn(value: unknown, pointer = ''): Generator<string> {
  yield pointer;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* pointersIn(inner, `${pointer}/${escapeToken(name)}`);
}

const valueAt = (root: unknown, pointer: string): unknown =>
  parsePointer(pointer).reduce((at, token) => (at as Record<string, unknown>)[token], root);

/** The index of the opening bracket of the innermost container around the place before `offset`; -1: none. */
function openAround(text: string, offset: number): number {
  const open: number[] = [];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs))
    if (index >= offset) break;
    else if (token === '{' || token === '[') open.push(index);
    else if (token === '}' || token === ']') open.pop();
  return open.at(-1) ?? -1;
}

describe('a follower', () => {
  it('says what begins at an offset: the pointer, and the value or the object of the name', () => {
    fc.assert(
      fc.property(json, indent, fc.array(fc.boolean(), { maxLength: 8 }), (value, space, chosen) => {
        const text = `  ${JSON.stringify(value, null, space)} `;
        const bytes = Buffer.from(text);
        const root = JSON.parse(text) as unknown;
        const pointers = [...pointersIn(root)];
        const wanted = [...locate(bytes, 0, bytes.length, pointers)].flatMap(([pointer, { value: span, name }]) => [
          { at: span.start, pointer, value: valueAt(root, pointer) },
          ...(name === null
            ? []
            : [{ at: name.start, pointer, value: valueAt(root, pointer.slice(0, pointer.lastIndexOf('/'))) }]),
        ]);
        wanted.sort((a, b) => a.at - b.at);
        for (const kept of [root, NOT_KEPT]) {
          const follower = new Follower(bytes, 0, bytes.length, kept);
          const some = wanted.filter((_, i) => chosen.length === 0 || chosen[i % chosen.length] === true);
          const found = some.map(({ at }) => {
            const { pointer, value: here } = follower.seek(at);
            return { at, pointer, value: here() };
          });
          expect(found).toEqual(some);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('says which container is around a place', () => {
    fc.assert(
      fc.property(json, indent, fc.nat(6), (value, space, step) => {
        const text = JSON.stringify(value, null, space);
        const bytes = Buffer.from(text);
        fc.pre(bytes.length === text.length);
        const starts = new Map(
          [...locate(bytes, 0, bytes.length, [...pointersIn(value)])].map(([pointer, { value: span }]) => [
            span.start,
            pointer,
          ]),
        );
        const follower = new Follower(bytes, 0, bytes.length, NOT_KEPT);
        for (let at = 1; at < bytes.length; at += 1 + step) {
          const open = openAround(text, at);
          expect([at, follower.around(at)]).toEqual([at, starts.get(open) ?? '']);
        }
      }),
      { numRuns: 300 },
    );
  });
});
