/**
 * The declarations that the build makes: they declare what the library exports and nothing else, and a user's compiler finds them
 * whichever way it resolves modules.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compile, createUserFolder, type Resolution, ROOT } from '../user-folder.ts';

const TYPES = join(ROOT, 'dist/types');

const user = createUserFolder();
afterAll(() => rmSync(user, { recursive: true }));

const RESOLUTIONS: readonly Resolution[] = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'preserve', moduleResolution: 'bundler' },
];

describe('the declarations', () => {
  const files = readdirSync(TYPES, { recursive: true, encoding: 'utf8' }).sort();

  it('are those of the modules from which the library exports something', () => {
    const declared = files.filter((file) => file.endsWith('.ts'));
    const families = declared.filter((file) => file.startsWith('keywords/'));
    expect(families).toEqual(expect.arrayContaining(['keywords/lengths.d.ts', 'keywords/params.d.ts']));
    expect(declared.filter((file) => !families.includes(file))).toEqual([
      'errors.d.ts',
      'index.d.ts',
      'json/vocabulary.d.ts',
      'library/api.d.ts',
      'library/browser.d.ts',
      'library/guards.d.ts',
      'library/payloads.d.ts',
      'library/validate.d.ts',
      'schema/names.d.ts',
      'types.d.ts',
      'words/own-rules.d.ts',
      'words/rule.d.ts',
      'words/test-rules.d.ts',
    ]);
  });

  it('declare what the library exports', () => {
    const exported = exportsOf(readFileSync(join(TYPES, 'index.d.ts'), 'utf8'));
    const declared = files
      .filter((file) => file.endsWith('.ts') && file !== 'index.d.ts')
      .flatMap((file) => declarationsOf(readFileSync(join(TYPES, file), 'utf8')));
    expect(exported.length).toBeGreaterThan(20);
    expect(exported.filter((name) => !declared.includes(name))).toEqual([]);
  });

  it('of keywords and rules declare the params of violations, and nothing else', () => {
    const ofRules = files.filter((file) => /^(?:keywords|words)\/.*\.ts$/.test(file));
    const values = ofRules.filter((file) => /\bdeclare\b/.test(readFileSync(join(TYPES, file), 'utf8')));
    expect(values).toEqual([]);
  });

  it('refer to each other by names that every compiler knows', () => {
    const from = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        return [...readFileSync(join(TYPES, file), 'utf8').matchAll(/^(?:import|export)\b.* from '(.*?)'/gm)].map(
          ([, name]) => name!,
        );
      });
    expect(from.length).toBeGreaterThan(2);
    expect(from.filter((name) => !/^\.{1,2}\/(?:\w+\/)?[\w-]+\.js$/.test(name))).toEqual([]);
  });
});

/** The names in lists such as `export { one, type Two } from '../x.js';`. */
function exportsOf(text: string): string[] {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list]) => list!);
  return lists.flatMap((list) =>
    list
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== ''),
  );
}

/** The names that a module declares at its top level, exported or not. */
function declarationsOf(text: string): string[] {
  const pattern = /^(?:export )?(?:declare )?(?:interface|type|function|const|class|let) (\w+)/gm;
  return [...text.matchAll(pattern)].map(([, name]) => name!);
}

describe.each(RESOLUTIONS)('a user who compiles with $module, $moduleResolution', (resolution) => {
  it('finds the types, and they hold', () => {
    const text = `
      import { type ContentItem, type Contract, type Emoji, isContentItem, isContract, isEmoji } from 'paylint';
      import { isPayload, type KindName, kindOf, type Payload } from 'paylint';
      const value: unknown = JSON.parse('{}');
      export const kind: KindName | null = kindOf(value);
      export const content: ContentItem | null = isContentItem(value) ? value : null;
      export const contract: Contract | null = isContract(value) ? value : null;
      export const emoji: Emoji | null = isEmoji(value) ? value : null;
      export const payload: Payload | null = isPayload(value) ? value : null;`;
    expect(compile(user, text, resolution)).toEqual([]);
  });

  it('knows the facts of a violation by its rule', () => {
    const text = `import type { Violation } from 'paylint';
      export const missing = (one: Violation): string => (one.rule === 'required' ? one.params.missing : '');
      export const line = (one: Violation): number => (one.rule === 'duplicate-member' ? one.params.first.line : 0);
      export const wrong = (one: Violation): string => (one.rule === 'type' ? one.params.missing : '');`;
    expect(compile(user, text, resolution)).toEqual(['4 TS2339']);
  });

  it('is told what is wrong', () => {
    const text = `import { compileKinds, isContract } from 'paylint';
      export const said: string = isContract(compileKinds);
      export * from 'paylint/dist/types/library/guards.js';`;
    expect(compile(user, text, resolution)).toEqual(['1 TS2305', '2 TS2322', '3 TS2307']);
  });
});

// Import attributes came after `node16`.
it.each(RESOLUTIONS.filter(({ module }) => module !== 'node16'))(
  'the schemas have types with $module, $moduleResolution',
  (resolution) => {
    const text = `import schema from 'paylint/schemas/contract.schema.json' with { type: 'json' };
      export const title: string = schema.title;
      export const least: string = schema.properties.coverage.properties.minAge.minimum;`;
    expect(compile(user, text, resolution)).toEqual(['3 TS2322']);
  },
);
