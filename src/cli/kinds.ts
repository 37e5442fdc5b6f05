/** `paylint kinds`: the kinds, how each is detected, and where its schema is. */
import { relative, resolve } from 'node:path';
import { type Config, loadConfig } from '../config/config.ts';
import type { CheckFlags } from '../config/flags.ts';
import { Decimal } from '../json/decimal.ts';
import { valuesOf } from '../schema/facts.ts';
import { asWritten, type LoadedSchemas } from '../schema/load.ts';
import { isNode, type Schema } from '../schema/node.ts';
import type { Kind } from '../schema/set.ts';
import { warnOfSuspects } from '../schema/suspect.ts';
import type { Io } from '../source/io.ts';
import { slashed } from '../source/path-text.ts';
import { jsonText, visible } from '../words/escape.ts';
import { loadSchemasFor } from './options.ts';
import { print } from './outputs.ts';
import { inColumns } from './terminal.ts';

export interface KindsFlags extends Pick<CheckFlags, 'schema' | 'draft' | 'ref' | 'config'> {
  readonly format?: 'text' | 'json';
}

export async function kinds(flags: KindsFlags, io: Io): Promise<number> {
  const config = await loadConfig(flags.config, io);
  const set = await loadSchemasFor(flags, config, io);
  await warnOfSuspects(set, { strict: false }, io);
  if (flags.format === 'json') {
    const data = set.kinds.map((kind) => ({
      name: kind.name,
      detectedBy: testText(kind, set, config),
      test: kind.test === null ? true : asWritten(kind.test, set),
      schema: schemaText(kind, io.cwd),
    }));
    return print(`${jsonText({ kinds: data })}\n`, io);
  }
  const rows = set.kinds.map(
    (kind) => [visible(kind.name), testText(kind, set, config), schemaText(kind, io.cwd)] as const,
  );
  return print(inColumns(rows), io);
}

/** In words: what the entry schema requires of a payload of this kind, or which files the config assigns to it. */
function testText({ test, document }: Kind, set: LoadedSchemas, { schemas, folder }: Config): string {
  if (test === null) return 'every payload';
  if (test === false) {
    const own = schemas.filter(({ schema }) => resolve(folder, schema) === document.path);
    return `files ${own.map(({ files }) => visible(files)).join(', ')}`;
  }
  return describeTest(test) ?? jsonText(asWritten(test, set));
}

/** Words for a test that consists of `type`, `required`, `const` and `enum`; null for any other. */
function describeTest(schema: Schema): string | null {
  if (!isNode(schema)) return null;
  const { id: _, origin: __, type, required = [], properties = {}, ...others } = schema;
  if (Object.keys(others).length > 0 || (type !== undefined && type !== 'object')) return null;
  const values = new Map<string, string>();
  for (const [name, member] of Object.entries(properties)) {
    const allowed = isNode(member) ? valuesOf(member) : null;
    if (allowed === null) return null;
    values.set(name, allowed.map(plain).join(', '));
  }
  const parts = [...values].map(([name, allowed]) => `${visible(name)} is ${allowed}`);
  for (const name of required) if (!values.has(name)) parts.push(`there is a member ${visible(name)}`);
  return parts.join(' and ');
}

function plain(value: unknown): string {
  if (value instanceof Decimal) return value.text;
  return typeof value === 'string' ? visible(value) : jsonText(value);
}

function schemaText({ document, schema }: Kind, cwd: string): string {
  const pointer = isNode(schema) ? schema.origin.place.slice(document.name.length + 1) : '';
  return visible(slashed(relative(cwd, document.path)) + (pointer === '' ? '' : `#${pointer}`));
}
