// The files of the space, the newest first.
import { formatBytes, parseTime } from '@kiln/console/ui/formats.js';
import { useState } from 'preact/hooks';
import { hrefOf } from '../../address.js';
import { Icon } from '../../ui/icon.js';
import { usePaused } from '../../ui/use-paused.js';
import { Failed, Notice, SkeletonRows } from '../../ui/view-states.js';
import { useFiles, type FileSummary } from './use-files.js';

export function FilesView() {
  const [typed, setTyped] = useState('');
  const search = usePaused(typed);
  return (
    <>
      <div class="view-head">
        <h1 tabIndex={-1}>Documents</h1>
        <input
          type="search"
          aria-label="Filter the documents"
          placeholder="Name or words"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
      <FileList search={search} onClear={() => setTyped('')} />
    </>
  );
}

function FileList({ search, onClear }: { search: string; onClear: () => void }) {
  const { files, isLoaded, isLoading, error, reload, cursor, further, loadMore } = useFiles(search);
  const failed = error === null ? null : <Failed error={error} onRetry={reload} />;
  if (!isLoaded) return failed ?? <SkeletonRows rows={8} label="Loading the documents" />;
  if (files.length === 0) return failed ?? <NoFiles isFiltered={search !== ''} onClear={onClear} />;
  return (
    <>
      {/* The list may be that of the filter before. */}
      {failed}
      <ul class="file-list card" aria-label="Documents" data-stale={isLoading || failed !== null}>
        {files.map((file) => (
          <FileRow key={file.id} file={file} />
        ))}
      </ul>
      {further.error !== null && <Failed error={further.error} onRetry={() => void loadMore()} />}
      {cursor !== null && failed === null && further.error === null && (
        <button
          type="button"
          class="button more"
          disabled={isLoading || further.isLoading}
          onClick={() => void loadMore()}
        >
          {further.isLoading ? 'Loading' : 'Show more'}
        </button>
      )}
    </>
  );
}

function NoFiles({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <Notice icon="file" title="No documents yet">
        They appear here when they are added.
      </Notice>
    );
  }
  return (
    <Notice
      icon="search"
      title="No document matches"
      action={
        <button type="button" class="button" onClick={onClear}>
          Show all documents
        </button>
      }
    />
  );
}

const states: Readonly<Partial<Record<FileSummary['status'], string>>> = {
  uploading: 'Being added',
  processing: 'Being read',
  failed: 'Could not be read',
};

function FileRow({ file: { id, filename, status, size_bytes: size, created_at: at } }: { file: FileSummary }) {
  const state = states[status];
  return (
    <li>
      <Icon name="file" />
      <a class="file-link" href={hrefOf({ view: 'file', id, page: 1 })}>
        {filename}
      </a>
      <span class="muted">
        {[...(state === undefined ? [] : [state]), ...(size === null ? [] : [formatBytes(size)]), dateOf(at)].join(
          ' · ',
        )}
      </span>
    </li>
  );
}

const dateOf = (text: string): string =>
  parseTime(text).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
