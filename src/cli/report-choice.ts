/**
 * Decides from `--format` or the config which reports are written, and to which files. Loaded only if a format is
 * named.
 */
import { normalize } from 'node:path';
import { UsageError } from '../errors.ts';
import { AUTO, FORMAT_NAMES, isFormatName } from '../report/report-formats.ts';
import type { Io } from '../source/io.ts';
import { visible } from '../words/escape.ts';
import { onlyOne, PRETTY } from './reports.ts';
import type { ReportChoice, ReportChoices } from './settings.ts';

/**
 * `texts`: the values of `--format` or of the config: `pretty`, `ndjson=report.ndjson`, `json=-` …. Without one for
 * standard output, `pretty` goes there. Throws UsageError.
 */
export async function chooseReports(texts: readonly string[], folder: string, env: Io['env']): Promise<ReportChoices> {
  const targets: ReportChoice[] = [];
  for (const text of texts) targets.push(await parseChoice(text, env));
  const files = targets.flatMap(({ file }) => (file === null ? [] : [normalize(file)]));
  const twice = files.find((file, i) => files.indexOf(file) < i);
  if (twice !== undefined) throw new UsageError(`two formats go to ${visible(twice)}`);
  const direct = targets.filter(({ file }) => file === null);
  if (direct.length > 1) {
    throw new UsageError(onlyOne('standard output'));
  }
  return { targets: direct.length === 1 ? targets : [PRETTY, ...targets], folder };
}

async function parseChoice(text: string, env: Io['env']): Promise<ReportChoice> {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const path = equals < 0 ? '-' : text.slice(equals + 1);
  if (path === '') throw new UsageError(`--format ${visible(text)}: the name of the file is missing`);
  const file = path === '-' ? null : path;
  if (name === AUTO) return { name: env.GITHUB_ACTIONS === 'true' ? 'github' : 'pretty', file };
  if (isFormatName(name)) return { name, file };
  const several = severalFormats(text);
  if (several !== null)
    throw new UsageError(
      `--format takes one format, and may be repeated: one goes to standard output, the others to files; did you mean ${several}?`,
    );
  const { nearMiss } = await import('../words/near.ts');
  const names = [...FORMAT_NAMES, AUTO];
  const near = meant(text) ?? nearMiss(name, names);
  const hint = near === null ? `there are ${names.join(', ')}` : `did you mean "${visible(near)}"?`;
  throw new UsageError(`there is no format "${visible(name)}"; ${hint}`);
}

/** The flags for several formats in one value, such as `line,json`; null: the value is not such a list. */
function severalFormats(text: string): string | null {
  const parts = text.split(/[,;+|\s]+/).filter((part) => part !== '');
  const areFormats = parts.every((part) => isFormatName(part.replace(/=.*/s, '')));
  if (parts.length < 2 || !areFormats) return null;
  const isFree = (part: string): boolean => !part.includes('=');
  const first = parts.findIndex(isFree);
  return parts.map((part, i) => `--format ${visible(part)}${isFree(part) && i !== first ? '=FILE' : ''}`).join(' ');
}

/** The probable meaning of a file without its format (`out.json`), or of another separator (`json:out.json`). */
function meant(text: string): string | null {
  const [, name = '', rest = ''] = /^(\w+):(.+)$/.exec(text) ?? [];
  if (isFormatName(name)) return `${name}=${rest}`;
  const extension = /\.(\w+)$/.exec(text)?.[1] ?? '';
  const format = extension === 'xml' ? 'junit' : extension;
  return isFormatName(format) && !text.includes('=') ? `${format}=${text}` : null;
}
