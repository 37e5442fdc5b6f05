/**
 * Paths and globs with `/`, as reports, configs and matchers have them, on every system.
 */
import { sep } from 'node:path';

/**
 * `text` with `/` where the system separates by a backslash; elsewhere as it is, since there a backslash is a character of a
 * name, and escapes in a glob. `separator`: that of another system, for tests.
 */
export function slashed(text: string, separator: string = sep): string {
  return separator === '\\' ? text.replaceAll('\\', '/') : text;
}
