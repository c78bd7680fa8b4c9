import { formatBytes } from '@kiln/console/ui/formats.js';
import { useState } from 'preact/hooks';
import { usePortal } from '../../api/portal-context.js';
import { useLoaded } from '../../api/use-loaded.js';
import { Failed, SkeletonRows } from '../../ui/view-states.js';
import type { FileDetail } from './file-view.js';

type VariantType = FileDetail['variants'][number]['type'];

const names: Readonly<Record<VariantType, string>> = {
  markdown: 'Text, as markdown',
  metadata: 'Title, author, language and counts, as JSON',
  thumbnails: 'A small picture',
  layout: 'Blocks and lines of the pages, as JSON',
  'searchable-index': 'Passages, as searches find them',
  embeddings: 'Vectors of the passages',
};

/** Their addresses are loaded when the list is opened. */
export function FileVariants({ file }: { file: FileDetail }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="variants card" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Other forms of this document</summary>
      {isOpen && <VariantLinks fileId={file.id} />}
    </details>
  );
}

function VariantLinks({ fileId }: { fileId: string }) {
  const portal = usePortal();
  const { value, error, reload } = useLoaded((signal) => portal.listVariants(fileId, { signal }), [portal, fileId]);
  if (!value) {
    if (error !== null) return <Failed error={error} onRetry={reload} />;
    return <SkeletonRows rows={4} label="Loading the other forms" />;
  }
  return (
    <ul aria-label="Other forms">
      {value.variants.map(({ id, type, size_bytes: size, content_url: url }) => (
        <li key={id}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {names[type] ?? type}
          </a>
          <span class="muted">{formatBytes(size)}</span>
        </li>
      ))}
    </ul>
  );
}
