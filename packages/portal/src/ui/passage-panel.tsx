// The page of a passage, with the passage lit. It takes the focus, so that it is scrolled to, also within a frame.
import type { Passage } from '@kiln/console/ui/passage.js';
import { useEffect, useRef } from 'preact/hooks';
import { hrefOf } from '../address.js';
import { Icon } from './icon.js';
import { PagePicture } from './page-picture.js';

export function PassagePanel({ passage, onClose }: { passage: Passage; onClose: () => void }) {
  const { fileId, filename, page, regions } = passage;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [passage]);
  return (
    <aside
      class="passage card"
      aria-label={`${filename}, page ${page}`}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose();
      }}
    >
      <header>
        <h2 ref={heading} tabIndex={-1}>
          <a class="file-link" href={hrefOf({ view: 'file', id: fileId, page })}>
            {filename}
          </a>
          <span> · page {page}</span>
        </h2>
        <button type="button" class="icon-button" aria-label="Close the page" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <PagePicture fileId={fileId} filename={filename} page={page} regions={regions} />
    </aside>
  );
}
