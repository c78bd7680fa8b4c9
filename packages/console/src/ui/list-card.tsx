import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadMore } from './load-more.js';
import { NotLoaded } from './not-loaded.js';

interface ListCardProps {
  label: string;
  list: UseInfiniteQueryResult;
  /** The rows that are loaded. Null if there are none. */
  table: ReactNode;
  /** In the place of the rows of an empty list. */
  empty: ReactNode;
}

/** A list that is loaded in pages, with its states. */
export function ListCard({ label, list, table, empty }: ListCardProps) {
  const { data, error, isPlaceholderData, isRefetching, isFetchingNextPage, refetch } = list;
  return (
    <>
      <section
        className="card"
        aria-label={label}
        aria-busy={isRefetching || isFetchingNextPage}
        data-stale={isPlaceholderData || (error !== null && table !== null)}
      >
        {table ??
          (error || !data ? <NotLoaded error={error} refetch={refetch} rows={6} label={`Loading: ${label}`} /> : empty)}
      </section>
      <LoadMore list={list} />
    </>
  );
}
