/**
 * What the page shows, as it is in the hash of its address: filters, search, order, the open violation. Every view has a link, and
 * the buttons of the browser go back and forth.
 */
import { FACETS, type Facet } from './model.ts';

export const ORDERS = ['place', 'rule', 'pointer', 'message'] as const;
export type Order = (typeof ORDERS)[number];

/** A part of a file, in the units of its strip, from 1, both ends included. */
export interface Part {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

export interface State {
  readonly picked: Readonly<Record<Facet, ReadonlySet<string>>>;
  readonly query: string;
  readonly part: Part | null;
  readonly order: Order;
  readonly descending: boolean;
  /** Index of the open row; null: none. */
  readonly open: number | null;
}

export function readState(hash: string): State {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const order = ORDERS.find((one) => one === values.get('sort')) ?? 'place';
  const open = values.get('open') ?? '';
  const picked = Object.fromEntries(FACETS.map((facet) => [facet, new Set(values.getAll(facet))]));
  return {
    picked: picked as Record<Facet, Set<string>>, // of all facets
    query: values.get('q') ?? '',
    part: readPart(values.get('part')),
    order,
    descending: values.has('descending'),
    open: /^\d{1,9}$/.test(open) ? Number(open) : null,
  };
}

function readPart(text: string | null): Part | null {
  const [, from, to, file] = /^(\d{1,15})-(\d{1,15}):([\s\S]*)$/.exec(text ?? '') ?? [];
  return file === undefined ? null : { file, from: Number(from), to: Number(to) };
}

export function writeState({ picked, query, part, order, descending, open }: State): string {
  const values = new URLSearchParams();
  for (const facet of FACETS) for (const value of picked[facet]) values.append(facet, value);
  if (query !== '') values.set('q', query);
  if (part !== null) values.set('part', `${part.from}-${part.to}:${part.file}`);
  if (order !== 'place') values.set('sort', order);
  if (descending) values.set('descending', '');
  if (open !== null) values.set('open', String(open));
  return `#${values}`;
}

export function isFiltered({ picked, query, part }: State): boolean {
  return query !== '' || part !== null || FACETS.some((facet) => picked[facet].size > 0);
}

/** `state` with `value` picked, or no longer picked. */
export function toggled(state: State, facet: Facet, value: string): State {
  const values = new Set(state.picked[facet]);
  if (!values.delete(value)) values.add(value);
  return { ...state, picked: { ...state.picked, [facet]: values } };
}

export function withoutFilters(state: State): State {
  const { picked, query, part } = readState('');
  return { ...state, picked, query, part };
}
