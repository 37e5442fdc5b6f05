/**
 * CONTRIBUTING.md says what is so: its commands exist, and what it says has to be done before a release has not been done yet.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const TEXT = read('CONTRIBUTING.md');
const PACKAGE = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
  files: string[];
  engines: { node: string };
}; // our own package.json
/** Of "Before the first release" and of "Before each release". */
const [FIRST, EACH] = TEXT.slice(TEXT.indexOf('## Releasing')).split('Before each release:');

describe('commands', () => {
  it('of npm', () => {
    const named = [...TEXT.matchAll(/\bnpm (?:run )?(check|test|(?<=run )[\w:]+)/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(7);
    expect(named.filter((name) => PACKAGE.scripts[name] === undefined)).toEqual([]);
  });

  it('of node, and all files that are named', () => {
    const named = [...TEXT.matchAll(/\b(?:scripts|bench|test|src|docs)\/[\w/.-]+\.\w+/g)].map(([path]) => path);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

it('what the README says to try is what .ci/run does first, in a clone', () => {
  const [, block] = /^## Try it\n[\s\S]*?^```sh\n([\s\S]*?)^```/m.exec(read('README.md'))!;
  const commands = [...new Set(block!.split(/ {2,}#.*\n| && /).filter((command) => command !== ''))];
  expect(commands).toEqual(['npm ci', 'node bin/paylint.js validate docs/examples --exit-zero', 'npm test']);
  const [, inClone] = /\(cd "\$clone" ([\s\S]*?)\) \|\|/.exec(read('.ci/run'))!;
  const run = inClone!.split('&&').map((part) => /PATH="\$slim" (.*?)(?: -- .*)?\s*$/.exec(part)?.[1]);
  expect(run.slice(1)).toEqual(commands);
});

describe('the list for a release', () => {
  it('names the fields that package.json does not have yet', () => {
    const named = [...FIRST!.matchAll(/set `(\w+)`/g)].map(([, name]) => name!);
    expect(named).toEqual(['homepage', 'repository']);
    expect(named.filter((name) => name in PACKAGE)).toEqual([]);
  });

  it('is right that the links of the README lead to files of the package', () => {
    const links = [...read('README.md').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link!);
    expect(links).toContain('docs/terminal.svg');
    const outside = links.filter((link) => !PACKAGE.files.includes(link.split('/')[0]!));
    expect(outside).toEqual([]);
  });

  it('names what is in the package, and the oldest Node', () => {
    const named = /lists (.*?), and\s+nothing else/s.exec(EACH!)![1]!.match(/`.*?`/g)!;
    const packed = [...PACKAGE.files, 'LICENSE', 'README.md', 'package.json'];
    expect(named.map((name) => name.replace(/`|\/`/g, '')).sort()).toEqual(packed.sort());
    const oldest = /oldest Node that `engines`\s+allows \((.*?)\)/.exec(EACH!)![1];
    expect(PACKAGE.engines.node).toBe(`^${oldest} || >=22.12`);
  });
});
