/**
 * The playground: what is typed, dropped or linked is checked by the Worker, and what it finds is shown in the text and beside it.
 */
import { EDITED_BYTES } from '../../limits.ts';
import type { EndData, RowData } from '../../report/html-data.ts';
import type { Framing } from '../../types.ts';
import { visible } from '../../words/escape.ts';
import { number, plural } from '../../words/number-text.ts';
import { button, byId, element, lineText } from '../dom.ts';
import { drawVerdict } from '../verdict.ts';
import { commandFor, copy } from './command.ts';
import { Editor, type Fix, type Mark, type Range } from './editor.ts';
import { EXAMPLES } from './examples.ts';
import { isLink, linkTo, type Shared, sharedIn } from './link.ts';
import { List } from './list.ts';
import { type Part, partOf } from './part.ts';
import type { Answer, Change, Fill } from './protocol.ts';
import { Work } from './work.ts';

/** Milliseconds of rest before a text is checked. */
const REST = 150;
const FRAMINGS: Readonly<Record<Framing, string>> = {
  json: 'JSON',
  lines: 'NDJSON: one payload a line',
  stream: 'JSON texts, one after another',
};
/** The names of the editors, and what they say if they are empty. */
const PAYLOADS = ['Payloads', 'Type or paste JSON or NDJSON, or drop a file.'] as const;
const SCHEMA = ['Schema', 'A JSON Schema. If there is none, the built-in ones are used.'] as const;
/** Code units of payload text in the words of a button. */
const SHOWN = 60;

class Playground {
  readonly #payloads = new Editor(byId('editor'), PAYLOADS, () => this.#changed());
  readonly #schema = new Editor(byId('schema'), SCHEMA, () => this.#changed());
  readonly #work: Work;
  readonly #list = new List(byId('list'), {
    jump: (row) => void this.#jump(row),
    fixesOf: (row) => this.#fixesOf(row),
  });
  /** A file that is not edited. */
  #file: File | null = null;
  #part: Part | null = null;
  /** Of the latest check. */
  #rows: RowData[] = [];
  #end: EndData | null = null;
  #fill: Fill | null = null;
  #isFillShown = false;
  /** The answers are about what the page shows now. */
  #isFresh = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(code: string) {
    this.#work = new Work(code, {
      answered: (answer) => this.#answered(answer),
      ended: (why) => this.#refused(why, []),
    });
    this.#listen();
  }

  #listen(): void {
    const example = byId('example') as HTMLSelectElement; // it is one in playground.html
    example.append(...EXAMPLES.map(({ title }, i) => element('option', { value: String(i) }, title)));
    example.addEventListener('change', () => {
      const chosen = EXAMPLES[Number(example.value)];
      if (example.value !== '' && chosen !== undefined) this.load(chosen);
    });
    const file = byId('file') as HTMLInputElement; // the same
    byId('open').addEventListener('click', () => file.click());
    file.addEventListener('change', () => {
      if (file.files?.[0] !== undefined) void this.#openFile(file.files[0]);
      file.value = '';
    });
    // Before the editor, which would take the text of a file.
    document.addEventListener('dragover', (event) => event.preventDefault(), true);
    document.addEventListener('drop', (event) => this.#drop(event), true);
    byId('copy-report').addEventListener('click', () => void this.#copyReport('pretty'));
    byId('copy-json').addEventListener('click', () => void this.#copyReport('json'));
    byId('copy-command').addEventListener('click', () => void this.#copyCommand());
    byId('copy-link').addEventListener('click', () => void this.#copyLink());
    window.addEventListener('hashchange', () => {
      if (isLink(location.hash)) void this.begin();
    });
  }

  /** Shows what the address holds, or an example. */
  async begin(): Promise<void> {
    if (await this.#follow()) return;
    this.load(EXAMPLES[0]!); // there is one
    if (isLink(location.hash)) this.#say('This link cannot be read: it was cut off, or is not of this page.');
  }

  async #follow(): Promise<boolean> {
    const shared = await sharedIn(location.hash);
    if (shared !== null) this.load(shared);
    return shared !== null;
  }

  load({ payloads, schema }: Shared): void {
    this.#file = null;
    this.#part = null;
    this.#payloads.load(payloads);
    this.#schema.load(schema);
    if (schema !== '') (byId('own') as HTMLDetailsElement).open = true; // it is one in playground.html
    this.#changed(0);
  }

  #drop(event: DragEvent): void {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    void this.#openFile(file);
  }

  async #openFile(given: File): Promise<void> {
    try {
      const file = await unpacked(given);
      const text = file.size > EDITED_BYTES ? null : utf8(await file.arrayBuffer());
      if (text !== null) {
        this.load({ payloads: text, schema: this.#schema.text });
        return;
      }
      this.#file = file;
      await this.#showPart(0, 1);
      this.#changed(0);
    } catch {
      this.#say('This file cannot be read.');
    }
  }

  async #showPart(offset: number, line: number): Promise<void> {
    if (this.#file === null) return;
    this.#part = await partOf(this.#file, offset, line);
    this.#payloads.load(this.#part.text, this.#part.firstLine);
    this.#mark();
  }

  /** The texts are checked once they rest. */
  #changed(rest = REST): void {
    this.#isFresh = false;
    this.#say('');
    byId('part').hidden = this.#file === null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), rest);
  }

  #check(): void {
    this.#rows = [];
    this.#fill = null;
    const payloads = this.#file ?? this.#payloads.text;
    this.#work.check({ payloads, name: this.#file?.name ?? null, schema: this.#schema.text });
  }

  #answered(answer: Extract<Answer, { type: 'found' | 'refused' }>): void {
    if (answer.type === 'refused') {
      this.#refused(answer.message, answer.rows);
      return;
    }
    const { rows, end, framing, kinds, warnings, done, fill } = answer;
    this.#isFresh = true;
    this.#rows.push(...rows);
    this.#fill = fill;
    this.#end = { ...end, notes: [...end.notes, ...warnings] };
    const isOwn = this.#schema.text.trim() !== '';
    const isOne = framing === 'stream' && end.summary.payloads < 2;
    byId('framing').textContent = FRAMINGS[isOne ? 'json' : framing];
    byId('schema-name').textContent = isOwn ? 'your own' : `the built-in ones: ${kinds.join(', ')}`;
    this.#schema.mark([]);
    document.title = `${drawVerdict({ end: this.#end, rows: this.#rows }, byId('verdict'), false)} · paylint`;
    const { violations, warnings: warned } = end.summary;
    byId('count').textContent = done ? number(violations + warned) : 'checking…';
    if (rows.length > 0 || done) this.#drawFound();
    document.documentElement.dataset.ready = String(done);
  }

  #drawFound(): void {
    this.#list.draw(this.#rows, this.#end?.rules ?? []);
    this.#drawFill();
    this.#mark();
  }

  /** Nothing was checked. `rows`: what is wrong with the schema. */
  #refused(message: string, rows: readonly RowData[]): void {
    this.#isFresh = false;
    this.#rows = [];
    this.#fill = null;
    this.#drawFound();
    this.#schema.mark(rows.map((row) => ({ ...this.#schema.rangeOf(row), row, fixes: [] })));
    const why = rows.slice(0, 1).map((row) => `Line ${row.line}, column ${row.column}: ${row.message}`);
    byId('verdict').className = 'bad';
    byId('verdict').replaceChildren(
      element('h1', {}, 'Not checked'),
      ...[message, ...why].flatMap((text) => text.split('\n').map((line) => element('p', {}, line))),
    );
    byId('count').textContent = '';
    document.title = '✗ Not checked · paylint';
    document.documentElement.dataset.ready = 'true';
  }

  #mark(): void {
    const placed = this.#part?.placed(this.#rows);
    const marks = this.#rows.flatMap((row): Mark[] => {
      const range = placed === undefined ? this.#payloads.rangeOf(row) : placed.get(row);
      return range === undefined ? [] : [{ ...range, row, fixes: this.#fixesOf(row) }];
    });
    this.#payloads.mark(marks);
    if (this.#part !== null && this.#file !== null) {
      const { firstLine, lines } = this.#part;
      byId('part').textContent = visible(
        `${this.#file.name} is too large to be edited here: lines ${number(firstLine)} to ${number(firstLine + lines - 1)} are shown. Click on a violation to see its lines. All of the file is checked.`,
      );
    }
  }

  async #jump(row: RowData): Promise<void> {
    let range: Range | undefined = this.#part === null ? this.#payloads.rangeOf(row) : undefined;
    if (range === undefined) {
      range = this.#part?.placed([row]).get(row);
      if (range === undefined) {
        await this.#showPart(row.offset, row.line);
        range = this.#part?.placed([row]).get(row);
      }
    }
    if (range !== undefined) this.#payloads.show(range);
  }

  /** Those that need no decision: what was meant, what is missing and has a default, and what is not allowed. */
  #fixesOf(row: RowData): Fix[] {
    if (this.#file !== null) return [];
    const fixes: Fix[] = [];
    const range = this.#payloads.rangeOf(row);
    if (row.suggestion !== null && /^"(?:[^"\\]|\\.)*"$/.test(this.#payloads.slice(range))) {
      const insert = JSON.stringify(row.suggestion);
      fixes.push([`Change to ${shortened(insert)}`, () => this.#apply([{ ...range, insert }])]);
    }
    const removal = row.fix === 'prune' ? changeFor(row, this.#fill?.removals) : undefined;
    if (removal !== undefined) {
      const { at, length } = removal;
      fixes.push(['Remove the member', () => this.#apply([{ from: at, to: at + length, insert: '' }])]);
    }
    const insertion = row.fix === 'fill' ? changeFor(row, this.#fill?.insertions) : undefined;
    if (insertion !== undefined) {
      const words = `Insert ${shortened(insertion.text.trim().replace(/^,\s*|,$/g, ''))}`;
      fixes.push([words, () => this.#apply([{ from: insertion.at, to: insertion.at, insert: insertion.text }])]);
    }
    return fixes;
  }

  #apply(changes: readonly (Range & { insert: string })[]): void {
    const [first] = changes;
    if (!this.#isFresh || first === undefined) return;
    this.#payloads.change(changes);
    this.#payloads.show({ from: first.from, to: first.from + first.insert.length });
  }

  /** The defaults that are missing, and on demand what inserting them changes. */
  #drawFill(): void {
    const fill = this.#fill;
    byId('fill').hidden = fill === null || fill.count === 0;
    if (fill === null || fill.count === 0) return;
    const apply = (): void => this.#apply(fill.insertions.map(({ at, text }) => ({ from: at, to: at, insert: text })));
    const show = (): void => {
      this.#isFillShown = !this.#isFillShown;
      this.#drawFill();
      byId('fill').querySelector<HTMLElement>('[aria-expanded]')?.focus();
    };
    const words = element('p', {}, `${plural(fill.count, 'default')} missing`);
    const buttons = element(
      'span',
      { class: 'tools' },
      button({ 'aria-expanded': String(this.#isFillShown) }, show, 'Diff'),
      button({ class: 'main' }, apply, 'Fill in'),
    );
    const diff = this.#isFillShown ? [diffOf(fill.diff)] : [];
    byId('fill').replaceChildren(element('div', { class: 'toolbar' }, words, buttons), ...diff);
  }

  async #copyReport(format: 'pretty' | 'json'): Promise<void> {
    const text = this.#isFresh ? await this.#work.report(format) : '';
    if (text === '') this.#say('There is no report: nothing was checked.');
    else await this.#copy(text, 'The report is in the clipboard.');
  }

  async #copyCommand(): Promise<void> {
    const payloads = this.#file === null ? { text: this.#payloads.text } : { file: this.#file.name };
    await this.#copy(commandFor(payloads, this.#schema.text), 'The command is in the clipboard.');
  }

  async #copyLink(): Promise<void> {
    const shared = { payloads: this.#payloads.text, schema: this.#schema.text };
    if (this.#file !== null || shared.payloads.length + shared.schema.length > EDITED_BYTES) {
      this.#say('This is too much for a link.');
      return;
    }
    history.replaceState(null, '', await linkTo(shared));
    await this.#copy(location.href, 'The link is in the clipboard, and is the address of this page.');
  }

  async #copy(text: string, words: string): Promise<void> {
    this.#say((await copy(text)) ? words : 'This browser does not let the page copy.');
  }

  #say(words: string): void {
    byId('said').textContent = words;
    byId('said').hidden = words === '';
  }
}

/** Without the names of the files, which are made up. */
function diffOf(diff: string): HTMLElement {
  const lines = diff.split('\n').slice(2, -1);
  const spans = lines.map((line) => {
    const look = { '+': 'added', '-': 'removed', '@': 'place' }[line.slice(0, 1)] ?? 'same';
    return element('span', { class: look }, lineText(line));
  });
  return element('pre', { class: 'diff', tabindex: '0', role: 'region', 'aria-label': 'Diff' }, ...spans);
}

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** The file, or what is in it if it is gzip. Rejects if that is damaged. */
async function unpacked(file: File): Promise<File> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return file;
  const stream = file.stream().pipeThrough(new DecompressionStream('gzip'));
  return new File([await new Response(stream).blob()], file.name.replace(/\.gz$/, ''));
}

/** Null: it is not UTF-8. */
function utf8(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

document.addEventListener('DOMContentLoaded', () => {
  void new Playground(byId('worker').textContent ?? '').begin();
});

/** Pointers of violations in an array begin with the index of the payload. */
function changeFor({ payload, pointer }: RowData, changes: readonly Change[] = []): Change | undefined {
  const pointers = [pointer, pointer.replace(`/${payload}`, '')];
  return changes.find((one) => one.payload === payload && pointers.includes(one.pointer));
}
