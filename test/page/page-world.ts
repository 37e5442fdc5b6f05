/** Rows and models for tests of the page, and as much of a document as making elements needs: a tree with texts and attributes. */
import { vi } from 'vitest';
import type { Column, Facet, Model } from '../../src/page/model.ts';
import { FACETS, NONE } from '../../src/page/model.ts';
import type { RowData } from '../../src/report/html-data.ts';
import type { SourceCounts, Summary } from '../../src/types.ts';

/** A row whose other fields do not matter. */
export function row(fields: Partial<RowData>): RowData {
  const place = { file: 'a.json', payload: 0, line: 1, column: 1, endLine: fields.line ?? 1, endColumn: 2, offset: 0 };
  const statement = { kind: 'content', severity: 'error', pointer: '', message: 'no', schema: null } as const;
  const shown = { pattern: fields.pointer ?? '', rule: 'type', params: null, fix: null, suggestion: null, frame: null };
  return { ...place, ...statement, ...shown, ...fields };
}

const VALUES: Readonly<Record<Facet, (row: RowData) => string>> = {
  rule: ({ rule }) => rule,
  kind: ({ kind }) => kind ?? NONE,
  pointer: ({ pattern }) => pattern,
  file: ({ file }) => file,
  severity: ({ severity }) => severity,
  fix: ({ fix }) => fix ?? NONE,
};

export function modelOf(rows: readonly RowData[], sources: readonly Partial<SourceCounts>[] = []): Model {
  const columns = FACETS.map((facet): [Facet, Column] => {
    const values = rows.map(VALUES[facet]);
    const names = [...new Set(values)];
    const totals = names.map((name) => values.filter((value) => value === name).length);
    const ids = values.map((value) => names.indexOf(value));
    return [facet, { ids: Uint32Array.from(ids), names, totals: Uint32Array.from(totals) }];
  });
  return {
    rows,
    columns: Object.fromEntries(columns) as Model['columns'], // of all facets
    sources: new Map(sources.map((source) => [source.file!, source as SourceCounts])), // of which the rest is not read
    end: null,
  };
}

/** A summary whose other fields do not matter. */
export function summary(fields: Partial<Summary>): Summary {
  const counts = { sources: 1, payloads: 0, valid: 0, invalid: 0, violations: 0, warnings: 0, failures: 0 };
  return { ...counts, elapsedMs: 5, interrupted: false, ...fields } as Summary; // see above
}

/** An element: its text is that of its children. */
export class FakeElement {
  readonly tag: string;
  readonly attributes: Record<string, string> = {};
  readonly style: Record<string, string> = {};
  readonly listeners: { readonly type: string; readonly action: (event: object) => void }[] = [];
  children: (FakeElement | string)[] = [];
  className = '';
  title = '';
  hidden = false;
  scrollTop = 0;
  clientHeight = 0;
  offsetHeight = 0;

  constructor(tag = 'div') {
    this.tag = tag;
  }

  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('');
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  removeAttribute(name: string): void {
    delete this.attributes[name];
  }

  get id(): string {
    return this.attributes.id ?? '';
  }

  append(...children: readonly (FakeElement | string)[]): void {
    this.children.push(...children);
  }

  replaceChildren(...children: readonly (FakeElement | string)[]): void {
    this.children = [...children];
  }

  addEventListener(type: string, action: (event: object) => void): void {
    this.listeners.push({ type, action });
  }

  /** Something happens to it, such as a click. Returns whether the page kept the browser from doing what it does then. */
  fire(type: string, event: object = {}): boolean {
    let isPrevented = false;
    const preventDefault = (): void => {
      isPrevented = true;
    };
    for (const one of this.listeners) if (one.type === type) one.action({ ...event, preventDefault });
    return isPrevented;
  }

  get dataset(): Record<string, string> {
    const data = Object.entries(this.attributes).filter(([name]) => name.startsWith('data-'));
    return Object.fromEntries(data.map(([name, value]) => [name.slice('data-'.length), value]));
  }

  /** By a tag, or by `.class`. */
  querySelectorAll(selector: string): FakeElement[] {
    if (!selector.startsWith('.')) return this.all(selector);
    const inner = this.children.filter((child) => typeof child !== 'string');
    const isIt = ({ attributes: { class: names = '' } }: FakeElement): boolean =>
      names.split(' ').includes(selector.slice(1));
    return inner.flatMap((child) => [...(isIt(child) ? [child] : []), ...child.querySelectorAll(selector)]);
  }

  querySelector(selector: string): FakeElement | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  /** It has the focus from now on. */
  focus(): void {
    (document as { activeElement: unknown }).activeElement = this;
  }

  setPointerCapture(): void {}

  getBoundingClientRect(): object {
    return { left: 0, right: 100, width: 100 };
  }

  /** All elements below it with this tag, in their order. */
  all(tag: string): FakeElement[] {
    const inner = this.children.filter((child) => typeof child !== 'string');
    return inner.flatMap((child) => [...(child.tag === tag ? [child] : []), ...child.all(tag)]);
  }
}

/** Elements that the page makes are such elements; what it finds by an id are `byId`. */
export function fakeDocument(byId: Readonly<Record<string, FakeElement>> = {}): void {
  vi.stubGlobal('HTMLElement', FakeElement);
  vi.stubGlobal('document', {
    activeElement: null,
    createElement: (tag: string) => new FakeElement(tag),
    createElementNS: (_space: string, tag: string) => new FakeElement(tag),
    createTextNode: (text: string) => {
      const node = new FakeElement('#text');
      node.append(text);
      return node;
    },
    getElementById: (id: string) => byId[id] ?? null,
  });
}

/** An element for functions of the page, which take those of a browser. */
export const asElement = (element: FakeElement): HTMLElement => element as unknown as HTMLElement;
export const asFake = (element: Node): FakeElement => element as unknown as FakeElement;
