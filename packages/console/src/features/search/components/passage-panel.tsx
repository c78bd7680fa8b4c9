import { Link } from '@tanstack/react-router';
import { IconButton } from '../../../ui/button.js';
import { PagePicture } from '../../../ui/page-picture.js';
import type { Passage } from '../../../ui/passage.js';

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
        <IconButton icon="close" label="Close the page" onClick={onClose} />
      </header>
      <div className="passage-page" tabIndex={0} role="group" aria-label="Page">
        <PagePicture fileId={fileId} filename={filename} page={page} regions={regions} />
      </div>
    </aside>
  );
}
