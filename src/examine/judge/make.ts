/**
 * Makes judges, with the modules that only some schemas need.
 */
import type { SchemaSet } from '../../schema/set.ts';
import { formatsOf, formatsWith, type NamedFormats, NO_FORMATS } from './formats.ts';
import { type CompilePattern, Judge } from './judge.ts';

/** Modules that only some schemas need. */
export interface JudgeModules {
  readonly formats: NamedFormats | null;
  readonly pattern: CompilePattern | null;
}

export async function loadJudgeModules(set: SchemaSet): Promise<JudgeModules> {
  const { nodes } = set;
  const hasPatterns = nodes.some(
    ({ pattern, patternProperties }) => pattern !== undefined || patternProperties !== undefined,
  );
  return {
    formats: set.assertsFormats === false ? null : await formatsOf(nodes),
    pattern: hasPatterns ? (await import('../../schema/linear-regexp.ts')).linearMatcher : null,
  };
}

export function createJudge({ formats, pattern }: JudgeModules): Judge {
  return new Judge({
    formats: formats === null ? NO_FORMATS : formatsWith(formats),
    pattern: pattern ?? (() => () => true), // no schema has one
  });
}
