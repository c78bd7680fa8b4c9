// A document: its pages, its text, and its downloads.
import { recheckMs } from '@kiln/console/api/recheck.js';
import { formatBytes } from '@kiln/console/ui/formats.js';
import { hasPages } from '@kiln/console/ui/pages.js';
import { NotFoundError, type Schemas } from '@kiln/sdk';
import { useEffect } from 'preact/hooks';
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
  const { value, error, reload } = useLoaded((signal) => portal.getFile(id, { signal }), [portal, id]);
  const file = error instanceof NotFoundError ? null : value;
  // The portal has no events.
  useEffect(() => {
    const delayMs = file !== null && recheckMs([file], 'refused');
    if (delayMs === false) return;
    const timer = setTimeout(reload, delayMs);
    return () => clearTimeout(timer);
  }, [file, error, reload]);
  return (
    <>
      <a class="back" href={hrefOf({ view: 'files' })}>
        <Icon name="back" /> All documents
      </a>
      <div class="file" data-stale={file !== null && error !== null}>
        <div class="view-head">
          <div class="file-name">
            {/* It has the focus while the file is loaded, so it is the same element before and after. */}
            <h1 tabIndex={-1}>{file?.filename ?? 'Document'}</h1>
            {file && <p class="muted">{factsOf(file)}</p>}
          </div>
          {file && file.status !== 'uploading' && <DownloadButton fileId={file.id} />}
        </div>
        {file ? <FileBody file={file} page={page} /> : <NoFile error={error} onRetry={reload} />}
      </div>
    </>
  );
}

/** `PDF · 1.2 MB`. Readers know a type by the ending of its name. */
function factsOf({ filename, size_bytes: size }: FileDetail): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1];
  return [...(ending ? [ending.toUpperCase()] : []), ...(size === null ? [] : [formatBytes(size)])].join(' · ');
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

function FileBody({ file, page }: { file: FileDetail; page: number }) {
  const withPages = hasPages(file);
  return (
    <>
      <div class="file-body" data-with-pages={withPages}>
        {withPages && <FilePages file={file} page={page} />}
        <FileText file={file} />
      </div>
      {file.variants.length > 0 && <FileVariants file={file} />}
    </>
  );
}
