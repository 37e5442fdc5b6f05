/**
 * Which keys of the config a verb takes: those of its flags, and those that no flag has, except the ones listed here. The
 * code, `--print-config` and docs/reference/config.md share this table.
 */
import type { Config } from './config.ts';

/** What makes payloads pass or fail beside a schema: not for verbs whose result is about schemas. */
const OF_GATES = [
  ...['advice', 'allowEmpty', 'bail', 'baseline', 'checks', 'exitZero', 'maxInvalid'],
  ...['maxWarnings', 'rules', 'withDefaults'],
] as const;

/** Keys that no flag has. */
export const OF_CONFIG_ONLY = ['checks', 'formats', 'files', 'kinds', 'rules', 'schemas', 'vocabularies'] as const;

/** The keys that a verb does not take. */
export const NOT_TAKEN: Readonly<Record<string, readonly string[]>> = {
  validate: [],
  fill: [],
  prune: [],
  filter: ['files'],
  convert: ['checks', 'files', 'rules'],
  compare: OF_GATES,
  coverage: OF_GATES,
  test: [...OF_GATES, 'files', 'kinds', 'schemas'],
};

/** The config without what `verb` does not take; `leftOut` has the names of these keys, if the file sets them. */
export function configFor(verb: string, config: Config): Config {
  const names = NOT_TAKEN[verb] ?? [];
  const isTaken = (key: string): boolean => !names.includes(key);
  const take = <Key extends keyof Config>(key: Key, none: Config[Key]): Config[Key] =>
    isTaken(key) ? config[key] : none;
  const given = [
    ...Object.keys(config.flags),
    ...(['baseline', 'checks'] as const).filter((key) => config[key] !== null),
    ...(['files', 'kinds', 'schemas', 'rules'] as const).filter((key) => Object.keys(config[key]).length > 0),
  ];
  return {
    ...config,
    baseline: take('baseline', null),
    checks: take('checks', null),
    files: take('files', []),
    kinds: take('kinds', []),
    rules: take('rules', {}),
    schemas: take('schemas', []),
    flags: Object.fromEntries(Object.entries(config.flags).filter(([key]) => isTaken(key))),
    leftOut: given.filter((key) => !isTaken(key)),
  };
}
