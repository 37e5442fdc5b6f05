// @ts-check
// The command of the built program.
import { fileURLToPath } from 'node:url';

export const PAYLINT = [process.execPath, fileURLToPath(new URL('../bin/paylint.js', import.meta.url))];
