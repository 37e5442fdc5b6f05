/**
 * The names of the options of each call: those of the table of flags, and those of the library alone. The build replaces this
 * module by the names, so that programs need not load the table.
 */
import { flagOptions } from '../config/flags.ts';

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
