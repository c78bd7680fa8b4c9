// The address of a search: its text, its filters and its mode.
import type { Schemas } from '@kiln/sdk';

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

const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '' ? String(value) : undefined;

/** Ignores what it does not know: addresses are typed and shared. */
export function readSearchAddress(search: Record<string, unknown>): SearchAddress {
  const [q, space, type, meta] = ['q', 'space', 'type', 'meta'].map((name) => textOf(search[name]));
  const view = views.find((one) => one === search['view']);
  return addressOf({ q, view, space, type, meta: meta?.includes('=') ? meta : undefined });
}

type Parts = { [Key in keyof SearchAddress]: SearchAddress[Key] | undefined };

/** Leaves out what is empty. */
export function addressOf({ q, view, space, type, meta }: Parts): SearchAddress {
  return {
    ...(q && { q }),
    ...(view && view !== 'hybrid' && { view }),
    ...(space && { space }),
    ...(type && { type }),
    ...(meta && { meta }),
  };
}

export const hasFilters = ({ space, type, meta }: SearchAddress): boolean =>
  space !== undefined || type !== undefined || meta !== undefined;

type Filters = Pick<Schemas['SearchRequest'], 'space' | 'content_type' | 'metadata'>;

export function filtersOf({ space, type, meta }: SearchAddress): Filters {
  const at = meta?.indexOf('=') ?? -1;
  return {
    ...(space !== undefined && { space }),
    ...(type !== undefined && { content_type: type }),
    ...(meta !== undefined && at > 0 && { metadata: { [meta.slice(0, at)]: meta.slice(at + 1) } }),
  };
}
