/**
 * A reporter that says at the end how many tests ran, which were skipped for what (one line for everything that is missing; `test/tools.ts`
 * puts it into their titles), and which files this command leaves out.
 */
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { isOnlyInAll, provedBy, slowBecause, TEST_FILES } from '../scripts/test-kinds.js';

const NOTE = / \(needs ([^()]+)\)/;

export default class SkippedReporter implements Reporter {
  #mode: unknown;

  onInit(vitest: Vitest): void {
    this.#mode = vitest.projects[0]?.config.env.TESTS;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = modules.flatMap(({ children }) => [...children.allTests()]).filter(hasRun).length;
    for (const line of [...skippedLines(modules), ...leftOutLines(this.#mode, ran)]) console.log(line);
  }
}

const hasRun = (test: { result(): { readonly state: string } }): boolean => test.result().state !== 'skipped';

/** What `npm test` and `npm run test:fast` end with, and `npm run test:all` after `npm test`. */
export function leftOutLines(mode: unknown, ran: number, results = process.env.NPM_TEST_RESULTS): string[] {
  const proved = mode === 'all' ? provedBy(results).length : 0;
  if (proved > 0) return [`${ran} tests ran. Not run again: ${proved} files whose tests have all passed in npm test`];
  if (mode !== 'usual' && mode !== 'fast') return [];
  const left = TEST_FILES.filter((path) => isOnlyInAll(path) || (mode === 'fast' && slowBecause(path) !== null));
  const names = left.map((path) => path.replace(/^test\/|\.test\.ts$/g, '')).join(', ');
  const others = mode === 'fast' ? 'npm test and npm run test:all have' : 'npm run test:all has';
  return [`${ran} tests ran. Left out, which ${others}: ${names}; and most of the random tries`];
}

/** What is read of a file of tests. */
interface Tested {
  readonly relativeModuleId: string;
  readonly children: { allTests(state: 'skipped'): Iterable<{ readonly fullName: string }> };
}

/** `not tested without git: test/repair/fill-diff.test.ts (14 tests), …` */
export function skippedLines(modules: readonly Tested[]): string[] {
  const files = new Map<string, Map<string, number>>();
  for (const { relativeModuleId, children } of modules) {
    for (const { fullName } of children.allTests('skipped')) {
      const missing = NOTE.exec(fullName)?.[1];
      if (missing === undefined) continue;
      const counts = files.get(missing) ?? new Map<string, number>();
      counts.set(relativeModuleId, (counts.get(relativeModuleId) ?? 0) + 1);
      files.set(missing, counts);
    }
  }
  return [...files].map(([missing, counts]) => {
    const names = [...counts].map(([file, count]) => `${file} (${count} ${count === 1 ? 'test' : 'tests'})`);
    return `not tested without ${missing}: ${names.join(', ')}`;
  });
}
