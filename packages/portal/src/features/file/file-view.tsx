// A document: its pages, its text, and its downloads.
import { formatBytes } from '@kiln/console/ui/formats.js';
import { hasPages } from '@kiln/console/ui/pages.js';
import { NotFoundError, type Schemas } from '@kiln/sdk';
import { hrefOf } from '../../address.js';
import { usePortal } from '../../api/portal-context.js';
import { useLoaded } from '../../api/use-loaded.js';
import { Icon } from '../../ui/icon.js';
import { Failed, Notice, SkeletonRows } from '../../ui/view-states.js';
import { DownloadButton } from './download-button.js';
import { FilePages } from './file-pages.js';
import { FileText } from './file-text.js';
import { FileVariants } from './file-variants.js';

export type FileDetail = Schemas['File'];

export function FileView({ id, page }: { id: string; page: number }) {
  const portal = usePortal();
  const { value: file, error, reload } = useLoaded((signal) => portal.getFile(id, { signal }), [portal, id]);
  return (
    <>
      <a class="back" href={hrefOf({ view: 'files' })}>
        <Icon name="back" /> All documents
      </a>
      {file && !(error instanceof NotFoundError) ? (
        <File file={file} page={page} isStale={error !== null} />
      ) : (
        <>
          <h1 tabIndex={-1}>Document</h1>
          <NoFile error={error} onRetry={reload} />
        </>
      )}
    </>
  );
}

function NoFile({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === null) return <SkeletonRows rows={12} label="Loading the document" />;
  if (!(error instanceof NotFoundError)) return <Failed error={error} onRetry={onRetry} />;
  return (
    <Notice icon="file" title="There is no such document">
      It may be deleted, or belong to others.
    </Notice>
  );
}

function File({ file, page, isStale }: { file: FileDetail; page: number; isStale: boolean }) {
  const { filename, size_bytes: size, content_type: type } = file;
  const withPages = hasPages(file);
  const facts = [...(type === null ? [] : [type]), ...(size === null ? [] : [formatBytes(size)])];
  return (
    <div class="file" data-stale={isStale}>
      <div class="view-head">
        <div class="file-name">
          <h1 tabIndex={-1}>{filename}</h1>
          <p class="muted">{facts.join(' · ')}</p>
        </div>
        {file.status !== 'uploading' && <DownloadButton fileId={file.id} />}
      </div>
      <div class="file-body" data-with-pages={withPages}>
        {withPages && <FilePages file={file} page={page} />}
        <FileText file={file} />
      </div>
      {file.variants.length > 0 && <FileVariants file={file} />}
    </div>
  );
}
