import { Link } from '@tanstack/react-router';
import { Icon } from '../../../ui/icon.js';
import { PagePicture } from '../../../ui/page-picture.js';
import type { Passage } from '../lib/passage.js';

interface PassagePanelProps {
  passage: Passage;
  onClose: () => void;
}

/** The page of a passage, with the passage lit. */
export function PassagePanel({ passage, onClose }: PassagePanelProps) {
  const { fileId, filename, page, regions } = passage;
  return (
    <aside className="passage card" aria-label={`${filename}, page ${page}`}>
      <header>
        <h2>
          <Link className="file-link" to="/files/$fileId" params={{ fileId }} search={{ page }}>
            {filename}
          </Link>
          , page {page}
        </h2>
        <button type="button" className="icon-button" aria-label="Close the page" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div className="passage-page" tabIndex={0} role="group" aria-label="Page">
        <PagePicture fileId={fileId} filename={filename} page={page} regions={regions} />
      </div>
    </aside>
  );
}
