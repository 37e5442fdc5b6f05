/**
 * A reporter that prints at the end which tests were skipped for what: one line for everything that is missing.
 * `test/tools.ts` puts it into their titles.
 */
import type { Reporter, TestModule } from 'vitest/node';

const NOTE = / \(needs ([^()]+)\)/;

export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const line of skippedLines(modules)) console.log(line);
  }
}

/** What is read of a file of tests. */
interface Tested {
  readonly relativeModuleId: string;
  readonly children: { allTests(state: 'skipped'): Iterable<{ readonly fullName: string }> };
}

/** `not tested without git: test/fill/fill-diff.test.ts (14 tests), …` */
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
