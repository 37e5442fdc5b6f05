// @ts-check
// ata-validator, the newest of the validators for programs: installed into bench/data at its first use.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('data/ata/', import.meta.url));
const VERSION = '1.27.1';

/** @typedef {{ validate(value: unknown): { valid: boolean }, isValidJSON(text: string): boolean, isValid(bytes: Uint8Array): boolean }} Validator */

/**
 * Makes a validator of a schema.
 * @returns {(schema: object) => Validator}
 */
export function findAta() {
  if (!existsSync(join(FOLDER, 'node_modules/ata-validator'))) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, 'package.json'), '{"private":true}');
    const flags = ['--no-audit', '--no-fund', '--no-save'];
    execFileSync('npm', ['install', ...flags, `ata-validator@${VERSION}`], { cwd: FOLDER, stdio: 'ignore' });
  }
  const { Validator } = createRequire(join(FOLDER, 'package.json'))('ata-validator');
  return (schema) => new Validator(schema);
}
