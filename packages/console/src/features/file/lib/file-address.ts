// Which part of a file is shown, as the address has it.
import { oneOf } from '../../../ui/address.js';
import { defined } from '../../../ui/defined.js';
import { PAGES_MAX } from '../../../ui/pages.js';

export const tabs = ['text', 'chunks', 'variants', 'timeline', 'metadata'] as const;
export type Tab = (typeof tabs)[number];

export const tabNames: Readonly<Record<Tab, string>> = {
  text: 'Text',
  chunks: 'Chunks',
  variants: 'Variants',
  timeline: 'Timeline',
  metadata: 'Metadata',
};

export interface FileAddress {
  tab?: Tab;
  /** From 1. */
  page?: number;
  /** The index of the selected chunk, from 0. */
  chunk?: number;
}

type Parts = { [Key in keyof FileAddress]: FileAddress[Key] | undefined };

/** Leaves out what is the default. */
export const addressOf = ({ tab, page, chunk }: Parts): FileAddress =>
  defined({ tab: tab === 'text' ? undefined : tab, page: page === 1 ? undefined : page, chunk });

const countOf = (value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined;

/** Ignores what it does not know: addresses are typed and shared. */
export const readFileAddress = (search: Record<string, unknown>): FileAddress =>
  addressOf({
    tab: oneOf(tabs, search['tab']),
    page: countOf(search['page'], 1, PAGES_MAX),
    chunk: countOf(search['chunk'], 0),
  });
