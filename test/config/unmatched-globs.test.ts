/** A run names the globs of its config that match nothing, if it has walked all that they could match. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { paylint } from '../world.ts';

const TMP = join(import.meta.dirname, '../tmp');
mkdirSync(TMP, { recursive: true });
const folder = mkdtempSync(join(TMP, 'unmatched-globs-'));
afterAll(() => rmSync(folder, { recursive: true }));

mkdirSync(join(folder, 'reactions/old'), { recursive: true });
mkdirSync(join(folder, 'images'));
for (const name of ['reactions/a.json', 'reactions/old/b.json', 'other.json'])
  writeFileSync(join(folder, name), '{"@context":"c","@type":"t","emoji":"x"}');
writeFileSync(join(folder, 's.json'), '{"type":"object"}');

async function notes(config: object, ...args: readonly string[]): Promise<string> {
  writeFileSync(join(folder, 'paylint.config.json'), JSON.stringify(config));
  const { stderr } = await paylint(['validate', ...args], { cwd: folder });
  return stderr.replace(/^paylint: note: not read in folders: .*\n/m, '');
}

const note = (...globs: readonly string[]): string =>
  `paylint: note: nothing matches ${globs.map((glob) => `paylint.config.json#/${glob}`).join(', ')}\n`;
const kind = (files: string) => ({ files, kind: 'emoji' });
const schema = (files: string) => ({ files, schema: 's.json' });

it.each([
  [{ kinds: [kind('reactions/**'), kind('reactoins/**')] }, ['.'], note('kinds/1/files: reactoins/**')],
  [{ schemas: [schema('reactoins/*.json')] }, ['.'], note('schemas/0/files: reactoins/*.json')],
  [{ ignore: ['drafs/', 'images/', 'old', '/other.json', '!x'] }, ['.'], note('ignore/0: drafs/')],
  [{ ignore: ['*.tmp.json'] }, ['**/*.json'], note('ignore/0: *.tmp.json')],
  [{ files: ['reactoins/**', 'other.json', '!old'] }, ['.'], note('files/0: reactoins/**')],
  [{ kinds: [kind('x/**')], ignore: ['y/**'] }, ['reactions', '.'], note('kinds/0/files: x/**', 'ignore/0: y/**')],
  // All of these are matched, or could match what the run has not walked.
  [{ kinds: [kind('reactions/**'), kind('*.json'), kind('/other.json')] }, ['.'], ''],
  [{ kinds: [kind('contracts/**'), kind('*.ndjson')], ignore: ['drafs/'] }, ['reactions'], ''],
  [{ kinds: [kind('reactoins/**')] }, ['other.json'], ''],
  [{ kinds: [kind('reactoins/**')] }, ['*.json'], ''],
  [{ kinds: [kind('reactoins/**')] }, ['.', '--kind', 'emoji'], ''],
  [{ schemas: [schema('reactoins/**')] }, ['.', '--schema', 's.json'], ''],
  [{ kinds: [kind('reactoins/**')] }, ['.', '--quiet'], ''],
  [{ kinds: [kind('reactoins/**')] }, ['.', '--shard', '2/2'], ''],
])('%j with %j', async (config, args, expected) => {
  expect(await notes(config, ...args)).toBe(expected);
});
