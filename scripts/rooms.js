// @ts-check
// The rooms of the source in their order, as docs/internals/architecture.md has them: a room imports from itself and from rooms before it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * By row of the table: folders below `src/`, and files in it.
 * @param {string} text of the document
 * @returns {string[][]}
 */
export function roomsIn(text) {
  const [, table = ''] = text.split(/^\| room \| what is in it \|\n\|---\|---\|\n/m);
  const rows = table.split('\n\n')[0]?.split('\n') ?? [];
  return rows.map((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+?)\/?`/g)].map(([, room]) => room ?? ''));
}

/**
 * The imports that lead to a later room: `from -> to`, paths below `src/`.
 * @param {readonly string[][]} rooms
 */
export function importsAgainst(rooms) {
  const ranks = new Map(rooms.flatMap((names, rank) => names.map((name) => [name, rank])));
  /** @param {string} path */
  const rankOf = (path) => {
    for (let at = path; at !== '.'; at = dirname(at)) if (ranks.has(at)) return ranks.get(at) ?? 0;
    return 0;
  };
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join('src', name), 'utf8');
      const found = [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*['"](\.{1,2}\/[^'"]+)['"]/g)];
      const targets = found.map(([, to = '']) => join(dirname(name), to).replaceAll('\\', '/'));
      return targets.filter((to) => rankOf(to) > rankOf(name)).map((to) => `${name} -> ${to}`);
    });
}
