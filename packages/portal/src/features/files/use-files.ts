// The files whose name or content has a text. The user loads further pages.
import type { Schemas } from '@kiln/sdk';
import { useState } from 'preact/hooks';
import { useConnection } from '../../api/portal-context.js';
import { loadPermitted, useLoaded } from '../../api/use-loaded.js';

export type FileSummary = Schemas['FileSummary'];
type Page = Schemas['ListFilesResponse'];

const FILES_OF_PAGE = 50;

interface Further {
  /** The page that they follow. */
  first: Page | null;
  pages: readonly Page[];
  isLoading: boolean;
  error: unknown;
}

const NONE = { pages: [], isLoading: false, error: null };

export function useFiles(search: string) {
  const { portal, session } = useConnection();
  /** A page of a search may have no files, and still not be the last one. */
  const read = async (from: string | null, signal?: AbortSignal): Promise<Page> => {
    for (let cursor = from; ;) {
      const query = { limit: FILES_OF_PAGE, ...(search !== '' && { search }), ...(cursor !== null && { cursor }) };
      const page = await portal.listFiles(query, signal ? { signal } : {});
      if (page.files.length > 0 || page.next_cursor === null) return page;
      cursor = page.next_cursor;
    }
  };
  const { value: first, ...loaded } = useLoaded((signal) => read(null, signal), [portal, search]);
  const [kept, setFurther] = useState<Further>({ first: null, ...NONE });
  const further = kept.first === first ? kept : { first, ...NONE };
  const pages = first ? [first, ...further.pages] : [];
  const cursor = pages.at(-1)?.next_cursor ?? null;

  async function loadMore(): Promise<void> {
    // The list may have changed when the page arrives.
    const change = (part: Partial<Further>) => setFurther((now) => (now.first === first ? { ...now, ...part } : now));
    setFurther({ ...further, isLoading: true, error: null });
    try {
      const page = await loadPermitted(() => read(cursor), session);
      change({ pages: [...further.pages, page], isLoading: false });
    } catch (error) {
      change({ isLoading: false, error });
    }
  }
  return { ...loaded, isLoaded: first !== null, files: pages.flatMap(({ files }) => files), cursor, further, loadMore };
}
