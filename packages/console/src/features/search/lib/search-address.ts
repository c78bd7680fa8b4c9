// The address of a search: its text, its filters and its mode.
import type { Schemas } from '@kiln/sdk';
import { oneOf, textOf } from '../../../ui/address.js';
import { defined } from '../../../ui/defined.js';

export const views = ['hybrid', 'text', 'vector', 'compare', 'ask'] as const;
/** `compare` shows the three modes side by side; `ask` answers the text as a question. */
export type SearchView = (typeof views)[number];
export type SearchMode = Exclude<SearchView, 'compare' | 'ask'>;

export const modeNames: Readonly<Record<SearchMode, string>> = { hybrid: 'Hybrid', text: 'Text', vector: 'Meaning' };

export interface SearchAddress {
  q?: string;
  view?: SearchView;
  space?: string;
  type?: string;
  /** `key=value` of metadata. */
  meta?: string;
}

/** Ignores what it does not know: addresses are typed and shared. */
export function readSearchAddress(search: Record<string, unknown>): SearchAddress {
  const [q, space, type, meta] = ['q', 'space', 'type', 'meta'].map((name) => textOf(search[name]));
  return addressOf({
    q,
    view: oneOf(views, search['view']),
    space,
    type,
    meta: meta?.includes('=') ? meta : undefined,
  });
}

type Parts = { [Key in keyof SearchAddress]: SearchAddress[Key] | undefined };

/** Leaves out what is empty. */
export function addressOf({ q, view, space, type, meta }: Parts): SearchAddress {
  return defined({
    q: q || undefined,
    view: view === 'hybrid' ? undefined : view,
    space: space || undefined,
    type: type || undefined,
    meta: meta || undefined,
  });
}

export const hasFilters = ({ space, type, meta }: SearchAddress): boolean =>
  space !== undefined || type !== undefined || meta !== undefined;

type Filters = Pick<Schemas['SearchRequest'], 'space' | 'content_type' | 'metadata'>;

export function filtersOf({ space, type, meta }: SearchAddress): Filters {
  const at = meta?.indexOf('=') ?? -1;
  const metadata = meta !== undefined && at > 0 ? { [meta.slice(0, at)]: meta.slice(at + 1) } : undefined;
  return defined({ space, content_type: type, metadata });
}
