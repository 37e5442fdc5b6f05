/**
 * Readers of the formats that others define, as their own readers read them: the runner of GitHub Actions, a parser of XML, a renderer
 * of GitHub's Markdown. Independent of how paylint writes.
 */
import { gunzipSync } from 'node:zlib';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { SaxesParser } from 'saxes';
import type { BlockData, EndData, RowData } from '../src/report/html-data.ts';
import type { SourceCounts } from '../src/types.ts';
import { jsonText } from '../src/words/escape.ts';

/** A workflow command. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** A line as `ActionCommand.TryParseV2` of github.com/actions/runner takes it; null for plain text. */
export function readCommand(line: string): WorkflowCommand | null {
  const message = line.trimStart();
  const end = message.startsWith('::') ? message.indexOf('::', 2) : -1;
  if (end < 0) return null;
  const info = message.slice(2, end);
  const space = info.indexOf(' ');
  const properties: Record<string, string> = {};
  if (space > 0) {
    for (const pair of info
      .slice(space + 1)
      .trim()
      .split(',')) {
      const equals = pair.indexOf('=');
      if (equals > 0 && equals < pair.length - 1) {
        properties[pair.slice(0, equals)] = unescapeProperty(pair.slice(equals + 1));
      }
    }
  }
  const data = message
    .slice(end + 2)
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%');
  return { name: space < 0 ? info : info.slice(0, space), properties, data };
}

function unescapeProperty(text: string): string {
  return text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');
}

/** An element of XML. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** All of it, that of its children too. */
  text: string;
}

/** A document, or with `fragment` what is in one. Throws for what is not well-formed. */
export function readXml(text: string, fragment = false): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const path = [root];
  const parser = new SaxesParser({ fragment });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const texts = Object.entries(attributes).map(([key, value]) => [key, String(value)]);
    const element: XmlElement = { name, attributes: Object.fromEntries(texts), children: [], text: '' };
    path.at(-1)!.children.push(element);
    path.push(element);
  });
  const add = (piece: string): void => {
    for (const element of path) element.text += piece;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => path.pop());
  parser.write(text).close();
  return root;
}

/** All elements of a name, in order, however deep. */
export function elementsOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsOf(child, name)]);
}

/** GitHub's Markdown as elements of HTML, raw HTML in it included. */
export function readMarkdown(text: string): XmlElement {
  const html = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  return readXml(html, true);
}

/** Undoes the escapes of `src/words/escape.ts`, for texts that hold no such escape themselves. */
export function unescaped(text: string): string {
  const characters = text.replace(/\\u(?:\{([0-9a-f]+)\}|([0-9a-f]{4}))/g, (_, long: string, short: string) =>
    long === undefined
      ? String.fromCharCode(Number.parseInt(short, 16))
      : String.fromCodePoint(Number.parseInt(long, 16)),
  );
  return characters;
}

/** A page of `html`: what a browser takes as its script, its style and its policy, and the data that are in it. */
export interface ReadPage {
  readonly policy: string;
  readonly script: string;
  readonly style: string;
  /** All that is not script, style or data. */
  readonly markup: string;
  readonly rows: RowData[];
  readonly sources: SourceCounts[];
  readonly end: EndData;
}

/** Decompresses the data of a page. */
export function readPage(page: string): ReadPage {
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page) ?? [];
  const parts = [...page.matchAll(/<script type="[^"]+" data-part="(block|end)">([^<]*)<\/script>/g)];
  const read = parts.map(([, part, data]) => ({
    part,
    value: JSON.parse(gunzipSync(Buffer.from(data!, 'base64')).toString('utf8')),
  }));
  const blocks: BlockData[] = read.filter(({ part }) => part === 'block').map(({ value }) => value);
  return {
    policy,
    script,
    style,
    markup: page.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '<$1></$1>'),
    rows: blocks.flatMap(({ rows }) => rows),
    sources: blocks.flatMap(({ sources }) => sources),
    end: read.at(-1)!.value,
  };
}

/** A page with its data as JSON, one row on a line, and without its script and style. */
export function readablePage(page: string): string {
  const { markup, rows, sources, end } = readPage(page);
  const data = [...rows, ...sources, end].map((value) => `${jsonText(value)}\n`);
  return markup
    .replace(/(?:<script><\/script>\n)+(?=<noscript>)/, () => data.join(''))
    .replace(/'sha256-[^']+'/g, 'HASH');
}
