interface Request {
  signal: AbortSignal;
  pageParam: string | null;
}

/** A list that the API returns in pages, each with the cursor of the next. */
export const cursorPages = <Page extends { next_cursor: string | null }>(
  read: (cursor: { cursor?: string }, options: { signal: AbortSignal }) => PromiseLike<Page>,
) => ({
  queryFn: async ({ signal, pageParam }: Request): Promise<Page> =>
    read(pageParam === null ? {} : { cursor: pageParam }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor: next }: Page) => next,
});
