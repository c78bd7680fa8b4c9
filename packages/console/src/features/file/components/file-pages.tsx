// The images of all pages, one below the other. An image is loaded when its page is near the visible part.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { usePageScroll } from '../hooks/use-page-scroll.js';
import { pageCountOf, propertiesOf } from '../../../ui/pages.js';
import { contentQuery, type Chunk, type FileDetail } from '../queries.js';
import { NearPage } from './near-page.js';

interface FilePagesProps {
  file: FileDetail;
  page: number;
  /** All that can be chosen. */
  chunks: readonly Chunk[];
  lit: readonly Chunk[];
  onChunk: (chunk: Chunk) => void;
  onPage: (page: number) => void;
}

export function FilePages({ file, page, chunks, lit, onChunk, onPage }: FilePagesProps) {
  const { data: metadata } = useQuery(contentQuery(useKiln(), file, 'metadata'));
  const count = pageCountOf(propertiesOf(metadata?.content ?? null)) ?? Math.max(1, page);
  const box = useRef<HTMLDivElement>(null);
  const { scrollTo, onScroll, onUser, onShown } = usePageScroll(box, page, onPage);
  const first = lit[0]?.regions[0];
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
            chunks={chunks}
            lit={lit}
            onChunk={onChunk}
            onShown={onShown}
          />
        ))}
      </div>
    </aside>
  );
}
