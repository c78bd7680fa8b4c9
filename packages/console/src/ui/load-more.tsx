import type { InfiniteQueryObserverResult } from '@tanstack/react-query';
import { Button } from './button.js';
import { Failed } from './view-states.js';

type List = Pick<
  InfiniteQueryObserverResult,
  'error' | 'hasNextPage' | 'isPlaceholderData' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>;

/** The next page of a list: a button, or why it could not be loaded. Nothing at the end of the list. */
export function LoadMore({ list }: { list: List }) {
  const more = () => void list.fetchNextPage();
  if (list.isFetchNextPageError) return <Failed error={list.error} onRetry={more} />;
  if (!list.hasNextPage || list.isPlaceholderData) return null;
  return (
    <p className="load-more">
      <Button icon="arrowDown" disabled={list.isFetchingNextPage} onClick={more}>
        Load more
      </Button>
    </p>
  );
}

/** Loads the next page of a list that the user scrolls. Null if there is no next page, or while it is being loaded. */
export const moreOf = (list: List): (() => void) | null =>
  list.hasNextPage && !list.isPlaceholderData && !list.isFetchingNextPage && !list.error
    ? () => void list.fetchNextPage()
    : null;
