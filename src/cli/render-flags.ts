/**
 * The flags of `render`, as data: those of reports that do not change what is checked.
 */
import { type FlagGroup, VALIDATE_FLAGS, type ValidateFlags } from './flags.ts';

export type RenderFlags = Pick<
  ValidateFlags,
  | 'allowEmpty'
  | 'baseline'
  | 'color'
  | 'exitZero'
  | 'format'
  | 'maxViolations'
  | 'maxWarnings'
  | 'quiet'
  | 'redact'
  | 'stats'
  | 'updateBaseline'
>;

const NAMES = [
  '--allow-empty',
  '--exit-zero',
  '--color',
  '--no-color',
  '--format',
  '--max-violations',
  '--quiet',
  '--redact',
  '--stats',
  '--baseline',
  '--update-baseline',
  '--max-warnings',
];

export const RENDER_FLAGS: readonly FlagGroup[] = VALIDATE_FLAGS.flatMap(({ heading, flags }) => {
  const taken = flags.filter(({ flags: name }) => NAMES.includes(name.split(' ')[0]!));
  return taken.length === 0 ? [] : [{ heading, flags: taken }];
});
