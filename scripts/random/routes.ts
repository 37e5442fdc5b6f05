/**
 * The ways in which paylint judges the same payloads: the library, which makes code after some texts, and the commands,
 * with lines, arrays, streams and gzip. Each must find the same violations as a fresh instance of the library that
 * examines the text.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Random } from '../mutations/schemas.ts';
import type { Paylint, World } from './world.ts';

/** A schema in a file, and texts with the violations that they have. */
export interface Subject {
  readonly world: World;
  readonly schema: string;
  readonly flags: readonly string[];
  readonly random: Random;
  /** Each text on one line, and the same values in any layout. */
  readonly texts: readonly string[];
  readonly laidOut: readonly string[];
  /** For each text, what its violations say; '' if it has none. */
  readonly truths: readonly string[];
  readonly open: () => Promise<Paylint>;
  /** Called for each text on which a route differs. */
  readonly differ: (route: string, text: number, said: string) => void;
}

/** Rules after which nothing else is said of a text; their messages say where it is in its file. */
const UNREAD = new Set(['json-syntax', 'json-encoding', 'nested-too-deep']);

interface Said {
  readonly rule: string;
  readonly pointer: string;
  readonly message: string;
  readonly params: unknown;
  readonly schema: unknown;
  readonly fix?: unknown;
}

/** What a violation says, but not where in its file. `above`: the beginning of its pointer. */
function facts({ rule, pointer, message, params, schema, fix }: Said, above: string): string {
  if (UNREAD.has(rule)) return rule;
  const inner = pointer.slice(above.length);
  return JSON.stringify([inner, rule, message, rule === 'duplicate-member' ? null : params, schema, fix]);
}

export function factsOf(violations: Iterable<Said>, above = ''): string {
  return [...violations].map((one) => facts(one, above)).join('\n');
}

/** The facts by payload of an `ndjson` report, and the summary. */
function read(report: string, count: number, isArray: boolean): string[] {
  const found = Array.from({ length: count }, (): string[] => []);
  let payloads = 0;
  for (const line of report.trimEnd().split('\n')) {
    const event = JSON.parse(line) as { type: string; payload: number; payloads: number } & Said; // the report's format
    if (event.type === 'violation') found[event.payload]?.push(facts(event, isArray ? `/${event.payload}` : ''));
    if (event.type === 'summary') payloads = event.payloads;
  }
  return payloads === count ? found.map((one) => one.join('\n')) : [`${payloads} payloads, not ${count}`];
}

function compare(subject: Subject, route: string, order: readonly number[], said: readonly string[]): void {
  if (said.length !== order.length) {
    subject.differ(route, order[0] ?? 0, String(said[0]));
    return;
  }
  for (const [i, text] of order.entries()) if (said[i] !== subject.truths[text]) subject.differ(route, text, said[i]!);
}

export async function compareLibrary(subject: Subject): Promise<void> {
  const { texts, laidOut, truths } = subject;
  const paylint = await subject.open();
  const all = [...texts.keys()];
  // Code is made after some texts, and after some invalid ones.
  for (const list of [texts, laidOut, texts, laidOut, texts, laidOut]) {
    const said = list.map((text) => factsOf(paylint.validate(text).violations));
    compare(subject, 'validate', all, said);
  }
  const fresh = await subject.open();
  for (const one of [paylint, fresh])
    for (const [i, text] of texts.entries())
      if (one.isValid(Buffer.from(text)) !== (truths[i] === '')) subject.differ('isValid', i, '');
}

/** Lines after which notes are taken of invalid payloads. */
const MANY = 320;

/** Some of the commands, chosen at random. */
export async function compareCommands(subject: Subject): Promise<void> {
  const { random, texts, truths } = subject;
  const all = [...texts.keys()];
  const [valid, invalid] = [true, false].map((wanted) => all.filter((i) => (truths[i] === '') === wanted));
  const many = (list: readonly number[], count: number): number[] =>
    list.length === 0 ? [] : Array.from({ length: count }, () => list[random(list.length)]!);
  const readable = all.filter((i) => !UNREAD.has(truths[i]!));
  const mixed = many(all, 400);
  const routes = [
    () => lines(subject, mixed, 'lines.ndjson'),
    () => lines(subject, mixed, 'lines.ndjson.gz'),
    () => lines(subject, mixed, '-'),
    () => lines(subject, [...many(invalid!, MANY), ...all], 'lines.ndjson'),
    () => lines(subject, many(valid!, 60), 'lines.ndjson'),
    () => lines(subject, many(all, 3), 'lines.ndjson'),
    () => values(subject, many(readable, 30), 'json'),
    () => values(subject, many(readable, 340), 'json'),
    () => values(subject, readable, 'stream'),
    () => filter(subject, mixed),
    () => counts(subject, [...many(invalid!, MANY), ...all]),
  ];
  for (let left = 4; left > 0; left--) await routes[random(routes.length)]!();
}

async function lines(subject: Subject, order: readonly number[], name: string): Promise<void> {
  if (order.length === 0) return;
  const { world, flags, random, texts, truths } = subject;
  const [between, last] = [
    ['\n', '\n'],
    ['\r\n', '\r\n'],
    ['\n\n', '\n'],
    ['\n', ''],
  ][random(4)] as [string, string]; // one of them
  const content = Buffer.from(order.map((i) => texts[i]).join(between) + last);
  if (name !== '-') writeFileSync(join(world.folder, name), name.endsWith('.gz') ? gzipSync(content) : content);
  const args = ['validate', ...flags, '--format', 'ndjson', '--input', 'lines', name];
  const { code, stdout, stderr } = await world.run(args, name === '-' ? content : undefined);
  if (stderr.includes('note: this is ')) return; // only the first violations are shown
  const isValid = order.every((i) => truths[i] === '');
  if (code !== (isValid ? 0 : 1)) subject.differ(`${name}, exit code ${code}`, order[0]!, stderr);
  compare(subject, `${order.length} payloads in ${name}`, order, read(stdout, order.length, false));
}

/** As elements of an array, or as one value after another. */
async function values(subject: Subject, order: readonly number[], input: 'json' | 'stream'): Promise<void> {
  if (order.length === 0) return;
  const { world, flags, laidOut } = subject;
  const content = order.map((i) => `\n  ${laidOut[i]}`).join(input === 'json' ? ',' : '');
  const text = input === 'json' ? `[${content}\n]` : content;
  const { code, stdout, stderr } = await world.run(
    ['validate', ...flags, '--format', 'ndjson', '--input', input, '-'],
    Buffer.from(text),
  );
  // The schema is, or may be, about the array.
  if (code === 2 && stderr.includes('--whole')) return;
  if (input === 'json' && order.length > 1 && stdout.includes('"payloads":1,')) return;
  compare(subject, `${order.length} payloads as ${input}`, order, read(stdout, order.length, input === 'json'));
}

/** Also with a rule that is off or a warning: then payloads that break only this rule are valid. */
async function filter(subject: Subject, order: readonly number[]): Promise<void> {
  const { world, flags, random, texts, truths } = subject;
  const rulesOf = (i: number): string[] =>
    UNREAD.has(truths[i]!) ? [truths[i]!] : truths[i]!.split('\n').map((one) => JSON.parse(one)[1] as string);
  const rules = [...new Set(order.filter((i) => truths[i] !== '').flatMap(rulesOf))].filter((one) => !UNREAD.has(one));
  const lowered = random(2) === 0 ? rules[random(rules.length || 1)] : undefined;
  const config = { rules: lowered === undefined ? {} : { [lowered]: ['off', 'warning'][random(2)] } };
  const path = join(world.folder, 'rules.json');
  writeFileSync(path, JSON.stringify(config));
  const content = (list: readonly number[]): string => list.map((i) => `${texts[i]}\n`).join('');
  const report = random(2) === 0 ? ['--format', 'ndjson=/dev/null'] : [];
  for (const inverts of [false, true]) {
    const args = ['filter', ...(inverts ? ['--invert'] : []), ...flags, '--config', path, '--quiet', ...report];
    const { stdout } = await world.run([...args, '--input', 'lines', '-'], Buffer.from(content(order)));
    const isGood = (i: number): boolean => truths[i] === '' || rulesOf(i).every((rule) => rule === lowered);
    const expected = content(order.filter((i) => isGood(i) !== inverts));
    if (stdout !== expected)
      subject.differ(`filter${inverts ? ' --invert' : ''} ${JSON.stringify(config)}`, order[0]!, stdout);
  }
}

/** The number of violations, most of which are not shown. */
async function counts(subject: Subject, order: readonly number[]): Promise<void> {
  const { world, flags, texts, truths } = subject;
  const args = ['validate', ...flags, '--max-violations', '3', '--no-color', '--input', 'lines', '-'];
  const { stdout } = await world.run(args, Buffer.from(order.map((i) => `${texts[i]}\n`).join('')));
  const expected = order.reduce((sum, i) => sum + (truths[i] === '' ? 0 : truths[i]!.split('\n').length), 0);
  const said = /^✗ ([\d,]+) violation/m.exec(stdout)?.[1] ?? '0';
  if (Number(said.replaceAll(',', '')) !== expected) subject.differ('the number of violations', order[0] ?? 0, said);
}
