/**
 * Where in the files the violations are: a strip for each file, from its first line to its last. Dragging over a part
 * of it, or the arrow keys and Enter, filters by that part.
 */
import { number, plural } from '../words/number-text.ts';
import { type Axis, placeOn } from './axis.ts';
import { button, element, foreign, svg } from './dom.ts';
import type { Model } from './model.ts';
import type { Selection } from './select.ts';
import type { Part, State } from './state.ts';

/** Parts of a strip, unless the file is shorter. */
const BINS = 120;
const HEIGHT = 32;
/** Strips at first, and at most. */
const FEW = 4;
const MOST = 50;

interface Strip {
  readonly file: string;
  readonly axis: Axis;
  /** Violations by part: all of them, and those that the filters let through. */
  readonly all: Uint32Array;
  readonly found: Uint32Array;
  readonly size: number;
  /** Bin after which violations are not listed; null: all are listed. */
  readonly listedTo: number | null;
}

export class Density {
  readonly #model: Model;
  readonly #axes: ReadonlyMap<string, Axis>;
  readonly #root: HTMLElement;
  readonly #go: (change: (state: State) => State) => void;
  #whole = false;
  /** The part of a strip that the arrow keys have reached, by file. */
  readonly #cursors = new Map<string, number>();

  constructor(
    model: Model,
    axes: ReadonlyMap<string, Axis>,
    root: HTMLElement,
    go: (change: (state: State) => State) => void,
  ) {
    this.#model = model;
    this.#axes = axes;
    this.#root = root;
    this.#go = go;
  }

  draw(state: State, { anywhere }: Selection): void {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.strip : undefined;
    const strips = this.#strips(anywhere);
    const picked = strips.filter(({ file }) => state.part?.file === file || state.picked.file.has(file));
    const others = strips.filter((strip) => !picked.includes(strip));
    const listed = [...picked, ...others].slice(0, this.#whole ? MOST : Math.max(FEW, picked.length));
    const heading = element('h2', { id: 'density-title' }, 'Where in the files');
    this.#root.replaceChildren(heading, ...listed.map((strip) => this.#row(strip, state)));
    const more = Math.min(MOST, strips.length) - FEW;
    if (more > 0) {
      const toggle = (): void => {
        this.#whole = !this.#whole;
        this.#go((same) => same);
      };
      const words = this.#whole ? 'Show fewer files' : `Show ${plural(more, 'more file')}`;
      this.#root.append(button({ class: 'more', 'aria-expanded': String(this.#whole) }, toggle, words));
    }
    if (focused === undefined) return;
    const again = [...this.#root.querySelectorAll<HTMLElement>('.strip')].find(
      ({ dataset }) => dataset.strip === focused,
    );
    again?.focus({ preventScroll: true });
  }

  /** Those of the files, the ones with the most violations first. */
  #strips(anywhere: Uint32Array): Strip[] {
    const { rows } = this.#model;
    const strips = new Map<string, { all: Uint32Array; found: Uint32Array; size: number }>();
    const stripOf = (file: string) => {
      let strip = strips.get(file);
      if (strip === undefined) {
        const bins = binsOf(this.#axes.get(file)!);
        strip = { all: new Uint32Array(bins), found: new Uint32Array(bins), size: 0 };
        strips.set(file, strip);
      }
      return strip;
    };
    for (const row of rows)
      stripOf(row.file).all[binOf(this.#axes.get(row.file)!, placeOn(this.#axes.get(row.file)!, row))]!++;
    for (const index of anywhere) {
      const row = rows[index]!;
      const strip = stripOf(row.file);
      strip.found[binOf(this.#axes.get(row.file)!, placeOn(this.#axes.get(row.file)!, row))]!++;
      strip.size++;
    }
    return [...strips]
      .map(([file, strip]) => this.#strip(file, strip))
      .sort((a, b) => b.size - a.size || (a.file < b.file ? -1 : 1));
  }

  #strip(file: string, counts: Pick<Strip, 'all' | 'found' | 'size'>): Strip {
    const source = this.#model.sources.get(file);
    const listed = counts.all.reduce((sum, count) => sum + count, 0);
    const isWhole = source === undefined || source.violations + source.warnings <= listed;
    const listedTo = isWhole ? null : counts.all.findLastIndex((count) => count > 0);
    return { file, axis: this.#axes.get(file)!, ...counts, listedTo };
  }

  #row(strip: Strip, state: State): HTMLElement {
    const { file, axis, size } = strip;
    const { unit, length, estimated } = axis;
    const drawing = element('div', {
      class: 'strip',
      'data-strip': file,
      tabindex: '0',
      role: 'slider',
      'aria-label': `Violations by ${unit}; Enter filters by the part`,
      'aria-valuemin': '1',
      'aria-valuemax': String(binsOf(axis)),
    });
    const part = state.part?.file === file ? state.part : null;
    drawing.append(picture(strip, part, this.#cursors.get(file) ?? null));
    this.#describe(drawing, strip);
    this.#listen(drawing, strip, part);
    const title = [foreign(file, 'name'), element('span', { class: 'number' }, number(size))];
    if (strip.listedTo !== null) title.push(element('span', { class: 'remark' }, 'the grey part is not listed'));
    const last = `${estimated ? 'about ' : ''}${number(length)}`;
    return element(
      'div',
      { class: 'place' },
      element('p', { class: 'title' }, ...title),
      drawing,
      element(
        'p',
        { class: 'scale', 'aria-hidden': 'true' },
        element('span', {}, `${unit} 1`),
        element('span', {}, last),
      ),
    );
  }

  #describe(drawing: HTMLElement, strip: Strip): void {
    const bin = this.#cursors.get(strip.file) ?? densest(strip.found);
    const { from, to } = rangeOf(strip.axis, bin, bin);
    drawing.setAttribute('aria-valuenow', String(bin + 1));
    const count = strip.found[bin]!;
    const found = this.#model.end?.summary.warnings
      ? `${number(count)} violations and warnings`
      : plural(count, 'violation');
    const words = `${strip.axis.unit}s ${number(from)} to ${number(to)}: ${found}`;
    drawing.setAttribute('aria-valuetext', words);
    drawing.title = words;
  }

  #listen(drawing: HTMLElement, strip: Strip, part: Part | null): void {
    const { file, axis } = strip;
    const pick = (a: number, b: number): void => {
      const range = rangeOf(axis, Math.min(a, b), Math.max(a, b));
      const isSame = part !== null && part.from === range.from && part.to === range.to;
      this.#go((state) => ({ ...state, part: isSame ? null : { file, ...range } }));
    };
    const binAt = ({ clientX }: PointerEvent): number => {
      const { left, width } = drawing.getBoundingClientRect();
      return clamp(axis, Math.floor(((clientX - left) / width) * binsOf(axis)));
    };
    let begin: number | null = null;
    const show = (from: number, to: number): void => {
      this.#cursors.set(file, to);
      this.#describe(drawing, strip);
      const range = rangeOf(axis, Math.min(from, to), Math.max(from, to));
      drawing.replaceChildren(picture(strip, begin === null ? part : { file, ...range }, to));
    };
    drawing.addEventListener('pointerdown', (event) => {
      begin = binAt(event);
      drawing.setPointerCapture(event.pointerId);
      show(begin, begin);
    });
    drawing.addEventListener('pointermove', (event) => show(begin ?? binAt(event), binAt(event)));
    drawing.addEventListener('pointerup', (event) => {
      if (begin !== null) pick(begin, binAt(event));
      begin = null;
    });
    drawing.addEventListener('pointerleave', () => {
      if (begin !== null) return;
      this.#cursors.delete(file);
      drawing.replaceChildren(picture(strip, part, null));
    });
    drawing.addEventListener('keydown', (event) => {
      const at = this.#cursors.get(file) ?? densest(strip.found);
      const to = {
        ArrowLeft: at - 1,
        ArrowDown: at - 1,
        ArrowRight: at + 1,
        ArrowUp: at + 1,
        Home: 0,
        End: binsOf(axis) - 1,
      }[event.key];
      if (to !== undefined) show(clamp(axis, to), clamp(axis, to));
      else if (event.key === 'Enter' || event.key === ' ') pick(at, at);
      else return;
      event.preventDefault();
    });
  }
}

function binsOf({ length }: Axis): number {
  return Math.min(BINS, length);
}

function clamp(axis: Axis, bin: number): number {
  return Math.max(0, Math.min(binsOf(axis) - 1, bin));
}

function densest(counts: Uint32Array): number {
  return counts.indexOf(Math.max(...counts));
}

function binOf(axis: Axis, place: number): number {
  return clamp(axis, Math.floor(((place - 1) / axis.length) * binsOf(axis)));
}

/** The places from the beginning of bin `first` to the end of bin `last`: just those that `binOf` puts there. */
function rangeOf(axis: Axis, first: number, last: number): { from: number; to: number } {
  const { length } = axis;
  const bins = binsOf(axis);
  const from = Math.min(length, Math.ceil((first * length) / bins) + 1);
  return { from, to: Math.max(from, Math.ceil(((last + 1) * length) / bins)) };
}

/** `part`: what is picked. `cursor`: the part at which one looks. */
function picture({ all, found, axis, listedTo }: Strip, part: Part | null, cursor: number | null): SVGElement {
  const most = Math.max(1, ...all);
  const box = { viewBox: `0 0 ${binsOf(axis)} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' };
  const made = svg('svg', box);
  if (listedTo !== null) {
    const [x, width] = [listedTo + 1, binsOf(axis) - listedTo - 1].map(String) as [string, string]; // of two numbers
    made.append(svg('rect', { class: 'unlisted', x, y: '0', width, height: String(HEIGHT) }));
  }
  if (part !== null) {
    const x = binOf(axis, part.from);
    const width = String(binOf(axis, part.to) - x + 1);
    made.append(svg('rect', { class: 'part', x: String(x), y: '0', width, height: String(HEIGHT) }));
  }
  if (cursor !== null)
    made.append(svg('rect', { class: 'cursor', x: String(cursor), y: '0', width: '1', height: String(HEIGHT) }));
  made.append(svg('path', { class: 'all', d: bars(all, most) }), svg('path', { class: 'found', d: bars(found, most) }));
  return made;
}

/** The height is as the square root of the count, so that a single violation is seen beside thousands. */
function bars(counts: Uint32Array, most: number): string {
  return [...counts]
    .map((count, bin) => ({ bin, height: count === 0 ? 0 : Math.max(4, Math.sqrt(count / most) * HEIGHT) }))
    .filter(({ height }) => height > 0)
    .map(({ bin, height }) => `M${bin} ${HEIGHT}v${-height.toFixed(2)}h.86v${height.toFixed(2)}z`)
    .join('');
}
