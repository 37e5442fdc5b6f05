/**
 * What the build inserts as values, because beside a user's bundle there is no file to read: the version, and the names of the
 * options of each call, which are those of the table of flags and of the library alone.
 */
import { flagOptions } from '../config/flags.ts';

export { version } from '../package.ts';

const PAYLOADS = [...flagOptions('payloads'), 'file', 'signal'];

export const OPTION_NAMES = {
  openPaylint: [...flagOptions('openPaylint'), 'schemas', 'formats', 'keywords', 'vocabularies', 'rules'],
  fill: ['deep'],
  payloads: PAYLOADS,
  payloadsOf: PAYLOADS,
  validateFiles: [...flagOptions('validateFiles'), 'cwd', 'signal', 'onEvent'],
  isValid: [],
  validate: [],
  validateValue: [],
  kindOf: [],
  prune: [],
};
