/**
 * The flags of `render`, as data: those of reports that do not change what is checked.
 */
import { CHECK_FLAGS, type CheckFlags, type FlagGroup } from './flags.ts';

export type RenderFlags = Pick<
  CheckFlags,
  'allowEmpty' | 'color' | 'format' | 'maxViolations' | 'quiet' | 'stats'
>;

const NAMES = [
  '--allow-empty',
  '--exit-zero',
  '--color',
  '--no-color',
  '--format',
  '--max-violations',
  '--quiet',
  '--stats',
];

export const RENDER_FLAGS: readonly FlagGroup[] = [
  {
    heading: 'Report:',
    flags: CHECK_FLAGS.flatMap(({ flags }) => flags).filter(({ flags }) =>
      NAMES.includes(flags.split(' ')[0]!),
    ),
  },
];
