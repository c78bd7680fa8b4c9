// The images of all pages, one below the other. An image is loaded when its page is near the visible part.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { useChunks } from '../hooks/use-chunks.js';
import { usePageScroll } from '../hooks/use-page-scroll.js';
import { pageCountOf, propertiesOf } from '../../../ui/pages.js';
import { contentQuery, type FileDetail } from '../queries.js';
import { NearPage } from './near-page.js';

interface FilePagesProps {
  file: FileDetail;
  page: number;
  /** The index of the chunk that is lit. */
  chunk: number | undefined;
  onPage: (page: number) => void;
}

export function FilePages({ file, page, chunk, onPage }: FilePagesProps) {
  const { data: metadata } = useQuery(contentQuery(useKiln(), file, 'metadata'));
  const count = pageCountOf(propertiesOf(metadata?.content ?? null)) ?? Math.max(1, page);
  const { chosen } = useChunks(file.id, chunk, chunk !== undefined);
  const regions = chosen?.regions ?? NO_REGIONS;
  const box = useRef<HTMLDivElement>(null);
  const { scrollTo, onScroll, onUser, onShown } = usePageScroll(box, page, onPage);
  const [first] = regions;
  useEffect(() => {
    if (first) scrollTo(first);
  }, [first, scrollTo]);
  return (
    <aside className="file-pages card" aria-label="Pages">
      <header>
        <h2>{count === 1 ? 'Page' : `Page ${Math.min(page, count)} of ${count}`}</h2>
      </header>
      <div
        ref={box}
        className="file-pages-scroll"
        tabIndex={0}
        role="group"
        aria-label="Images of the pages"
        onScroll={onScroll}
        onWheel={onUser}
        onPointerDown={onUser}
        onTouchMove={onUser}
        onKeyDown={onUser}
      >
        {Array.from({ length: count }, (_, index) => (
          <NearPage
            key={index}
            box={box}
            fileId={file.id}
            filename={file.filename}
            page={index + 1}
            regions={regions}
            onShown={onShown}
          />
        ))}
      </div>
    </aside>
  );
}

const NO_REGIONS: readonly never[] = [];
