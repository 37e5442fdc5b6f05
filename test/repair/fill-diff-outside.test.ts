/**
 * `fill --diff` of files outside the working directory: `patch -p1 -d /` takes it, with those inside.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTRACT, CONTRACT_FILLED } from '../fill-run.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const patch = needs('patch');

describe.skipIf(patch.missing)(`a diff of files outside the working directory${patch.note}`, () => {
  it('is applied by patch -p1 -d /', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paylint-outside-'));
    const cwd = join(folder, 'sub');
    const files = [join(folder, 'a.json'), join(cwd, 'b.json')];
    mkdirSync(cwd);
    for (const file of files) writeFileSync(file, CONTRACT);
    const { stdout } = await paylint(['fill', '--diff', '../a.json', 'b.json'], { cwd });
    patch.run('patch', ['-p1', '-d', '/', '--binary', '-s'], { cwd, input: Buffer.from(stdout) });
    for (const file of files) expect(readFileSync(file, 'utf8')).toBe(CONTRACT_FILLED);
    rmSync(folder, { recursive: true });
  });
});
