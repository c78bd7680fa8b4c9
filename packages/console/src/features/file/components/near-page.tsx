import { useEffect, useRef, useState, type RefObject } from 'react';
import { PagePicture } from '../../../ui/page-picture.js';
import type { Chunk } from '../queries.js';
import { ChunkRegions } from './chunk-regions.js';

interface NearPageProps {
  /** What scrolls. */
  box: RefObject<HTMLElement | null>;
  fileId: string;
  filename: string;
  page: number;
  chunks: readonly Chunk[];
  lit: readonly Chunk[];
  onChunk: (chunk: Chunk) => void;
  /** The image is loaded, so the page has its height. */
  onShown: () => void;
}

const NEAR = '600px';

/** A page. It has its image only while it is near the visible part, and keeps its height without it. */
export function NearPage({ box, chunks, lit, onChunk, onShown, ...picture }: NearPageProps) {
  const place = useRef<HTMLDivElement>(null);
  const [{ isNear, height }, setState] = useState<{ isNear: boolean; height?: number }>({ isNear: false });
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        const { isIntersecting, boundingClientRect } = entry;
        setState((known) => {
          if (isIntersecting) return { ...known, isNear: true };
          return known.isNear ? { isNear: false, height: boundingClientRect.height } : known;
        });
      },
      { root: box.current, rootMargin: NEAR },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [box]);
  return (
    <div
      ref={place}
      className="file-page"
      data-page={picture.page}
      style={isNear ? undefined : { height }}
      onLoad={onShown}
    >
      {isNear && (
        <PagePicture {...picture} regions={lit.flatMap(({ regions }) => regions)}>
          <ChunkRegions page={picture.page} chunks={chunks} lit={lit} onChunk={onChunk} />
        </PagePicture>
      )}
    </div>
  );
}
