/**
 * `html`: one self-contained page for people. It loads nothing, and its Content-Security-Policy allows only its own script. The
 * page is made by the build (`src/page`); here the data are inserted, block by block, so memory is bounded. Payload text is only
 * in the compressed blocks, and base64 cannot contain markup. If the page leaves something out, it says so.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { HTML_CHARACTERS, HTML_SOURCES, HTML_VIOLATIONS, LISTED_FAILURES } from '../limits.ts';
import { viewsOf } from '../log/violation-table.ts';
import { REPORT_PAGE, version } from '../package.ts';
import type {
  Excerpt,
  Failure,
  Reporter,
  ReportStyle,
  SourceCounts,
  Summary,
  Violation,
  ViolationsEvent,
} from '../types.ts';
import { xmlText } from '../words/markup.ts';
import { number, plural } from '../words/number-text.ts';
import { Cap } from './cap.ts';
import { BLOCK_TYPE, type EndData, type FrameData } from './html-data.ts';
import { cut, explained, rowText } from './html-row.ts';
import { createPalette, nearby, type Palette } from './paint.ts';
import { reporterOf } from './reporter.ts';
import { summaryLine } from './summary.ts';

/** Code units of a block before it is compressed. */
const BLOCK = 1 << 20;

/** The gzip level: the default, 6, takes a third longer for 6 % less. */
const LEVEL = 5;

/** Where the data go in the page. */
const DATA = '<!-- data -->';

export async function createHtml(style: ReportStyle): Promise<Reporter> {
  const [head, tail] = readFileSync(REPORT_PAGE, 'utf8').split(DATA) as [string, string]; // the build makes it so
  const palette = await createPalette(0);
  const cap = new Cap(style.maxViolations === 0 ? HTML_VIOLATIONS : Math.min(style.maxViolations, HTML_VIOLATIONS));
  const page = new Page(cap);
  let begun = false;
  const after = (text: string): string => {
    if (text === '' || begun) return text;
    begun = true;
    return head + text;
  };
  return reporterOf({
    violations: (event) => after(page.violations(event)),
    hidden: (event) => void cap.hide(event),
    failure: ({ failure }) => void page.failure(failure),
    source: ({ source }) => after(page.source(source)),
    summary: ({ summary }) => after(page.end(summary, palette)) + tail,
  });
}

/** The data of one page, as elements to be written one after another. */
class Page {
  readonly #cap: Cap;
  readonly #rules = new Set<string>();
  readonly #failures: Failure[] = [];
  #rows: string[] = [];
  #sources: string[] = [];
  /** Code units in the present block. */
  #size = 0;
  #text = 0;
  #listed = 0;
  #sourceCount = 0;

  constructor(cap: Cap) {
    this.#cap = cap;
  }

  violations(event: ViolationsEvent): string {
    let text = '';
    for (const { violation, excerpt } of viewsOf(this.#cap.admitted(event))) {
      const { rule, file } = violation;
      if (this.#text > HTML_CHARACTERS) {
        this.#cap.hide({ rule, file, count: 1, fixable: 0 });
        continue;
      }
      this.#rules.add(rule);
      this.#listed++;
      const row = rowText(violation, excerpt === null ? null : frameOf(violation, excerpt));
      this.#text += row.length;
      this.#rows.push(row);
      text += this.#added(row.length);
    }
    return text;
  }

  failure({ file, message }: Failure): void {
    if (this.#failures.length < LISTED_FAILURES) this.#failures.push({ file: cut(file), message: cut(message) });
  }

  source(source: SourceCounts): string {
    if (source.violations + source.warnings === 0 || this.#sourceCount++ >= HTML_SOURCES) return '';
    const text = JSON.stringify({ ...source, file: cut(source.file) });
    this.#sources.push(text);
    return this.#added(text.length);
  }

  end(summary: Summary, palette: Palette): string {
    const end: EndData = {
      version: version(),
      summary,
      fixable: this.#cap.fixable,
      failures: this.#failures,
      rules: [...this.#rules].flatMap(explained),
      notes: this.#notes(summary),
    };
    const line = `<p>${xmlText(summaryLine(summary, { fixable: this.#cap.fixable }, palette))}</p>`;
    const without = `<noscript>${line}<p>This page needs JavaScript.</p></noscript>\n`;
    return this.#flush() + element('end', JSON.stringify(end)) + without;
  }

  #notes({ failures }: Summary): string[] {
    const notes: string[] = [];
    const more = this.#cap.more();
    if (more !== null) notes.push(`Only the first ${plural(this.#listed, 'violation')} are listed: ${more}.`);
    if (failures > this.#failures.length)
      notes.push(`Not all failures are listed: … and ${number(failures - this.#failures.length)} more.`);
    return notes;
  }

  #added(size: number): string {
    this.#size += size;
    return this.#size < BLOCK ? '' : this.#flush();
  }

  #flush(): string {
    if (this.#size === 0) return '';
    const text = `{"rows":[${this.#rows.join()}],"sources":[${this.#sources.join()}]}`;
    this.#rows = [];
    this.#sources = [];
    this.#size = 0;
    return element('block', text);
  }
}

function element(part: 'block' | 'end', json: string): string {
  const data = gzipSync(json, { level: LEVEL }).toString('base64');
  return `<script type="${BLOCK_TYPE}" data-part="${part}">${data}</script>\n`;
}

function frameOf(violation: Violation, excerpt: Excerpt): FrameData {
  const { text, column, earlier } = excerpt;
  const from = Math.min(Math.max(0, violation.column - column), text.length);
  const to = violation.endLine > violation.line ? text.length + 1 : violation.endColumn - column;
  const { first, ...near } = nearby(excerpt, from);
  const frame = { ...near, from: from - first, to: Math.max(from, to) - first };
  if (earlier === undefined) return frame;
  const { text: above, cutBefore, cutAfter } = nearby(earlier, earlier.at);
  return { ...frame, earlier: { text: above, cutBefore, cutAfter, line: violation.line - earlier.above } };
}
