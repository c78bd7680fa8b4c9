// The list of files with its filters, its selection, and the actions on many files at once.
import { useEffect, useState } from 'react';
import { useMay } from '../../../api/me.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { Button } from '../../../ui/button.js';
import { defined } from '../../../ui/defined.js';
import { plural } from '../../../ui/formats.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { Notice } from '../../../ui/view-states.js';
import '../files.css';
import { useBulk } from '../hooks/use-bulk.js';
import { useDeferredLoading } from '../hooks/use-deferred-loading.js';
import { useFileRows } from '../hooks/use-file-rows.js';
import { filesCalls } from '../lib/files-calls.js';
import { isFiltered, type FilesSearch } from '../lib/files-search.js';
import { isSelected, NOTHING, type Selection } from '../lib/selection.js';
import { BulkBar } from './bulk-bar.js';
import { FilesFilters } from './files-filters.js';
import { FilesTable } from './files-table.js';

interface FilesViewProps {
  search: FilesSearch;
  onSearch: (change: FilesSearch) => void;
}

export function FilesView({ search, onSearch }: FilesViewProps) {
  const list = useFileRows(search);
  const [selection, setSelection] = useState<Selection>(NOTHING);
  // A link or the back button can also change the filters. The selection belongs to the former list.
  const filters = JSON.stringify(search);
  const [selectedIn, setSelectedIn] = useState(filters);
  if (filters !== selectedIn) {
    setSelectedIn(filters);
    setSelection(NOTHING);
  }
  const bulk = useBulk();
  const isRunning = bulk.running !== null;
  useEffect(() => (isRunning ? () => setSelection(NOTHING) : undefined), [isRunning]);
  const { rows, total, newCount, spaces, error } = list;
  const isSlow = useDeferredLoading(list.isPending);
  const clear = () => onSearch(defined({ sort: search.sort, order: search.order }));
  return (
    <div className="files">
      <div className="files-bar">
        <FilesFilters search={search} spaces={spaces} onSearch={onSearch} />
        <span className="muted" role="status">
          {list.isPending ? '' : total === undefined ? `${plural(rows.length, 'file')} loaded` : plural(total, 'file')}
        </span>
        {newCount > 0 && <Button onClick={() => void list.refresh()}>{plural(newCount, 'new file')}: show</Button>}
      </div>
      <BulkBar
        selection={selection}
        rows={rows}
        total={total}
        running={bulk.running}
        onRun={(action) => bulk.run(action, { selection, rows, search })}
        onSelect={setSelection}
      />
      <section
        className="files-card card"
        aria-label="Files"
        data-stale={list.isPlaceholderData || (list.isError && rows.length > 0)}
      >
        {rows.length > 0 ? (
          <FilesTable list={list} search={search} selection={selection} onSearch={onSearch} onSelect={setSelection} />
        ) : error || list.isPending ? (
          (error || isSlow) && <NotLoaded error={error} refetch={list.refetch} rows={12} label="Loading the files" />
        ) : (
          <NoFiles isFiltered={isFiltered(search)} onClear={clear} />
        )}
      </section>
      <ActionCommands
        calls={filesCalls(
          search,
          rows.filter(({ id }) => isSelected(selection, id)),
        )}
      />
    </div>
  );
}

function NoFiles({ isFiltered: hasFilters, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const mayUpload = useMay('files:write');
  if (!hasFilters) {
    return (
      <Notice icon="files" title="No files yet">
        {mayUpload
          ? 'Upload files or a folder with the buttons above, or load the samples on the home page.'
          : 'This key may not upload: it lacks the scope files:write.'}
      </Notice>
    );
  }
  return (
    <Notice icon="search" title="No file matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
      Try fewer words, another space or another status.
    </Notice>
  );
}
