// The loaded files, of which only the visible rows exist. More are loaded when few are left below.
import { useEffect, type KeyboardEvent } from 'react';
import { useVirtualRows } from '../../../ui/use-virtual-rows.js';
import { Failed } from '../../../ui/view-states.js';
import type { useFileRows } from '../hooks/use-file-rows.js';
import type { FilesSearch } from '../lib/files-search.js';
import { extend, isSelected, NOTHING, toggle, type Selection } from '../lib/selection.js';
import { FileTableRow } from './file-table-row.js';
import { FilesTableHead } from './files-table-head.js';

/** The next page is loaded when so many rows are left below. */
const ROWS_AHEAD = 60;

interface FilesTableProps {
  list: ReturnType<typeof useFileRows>;
  search: FilesSearch;
  selection: Selection;
  onSearch: (search: FilesSearch) => void;
  onSelect: (selection: Selection) => void;
}

export function FilesTable({ list, search, selection, onSearch, onSelect }: FilesTableProps) {
  const { rows, total, hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError, error } = list;
  const { scroll, virtual, items, onKeyDown } = useVirtualRows({
    count: rows.length,
    keyOf: (index) => rows[index]?.id,
    headHeight: 0,
  });
  const last = items.at(-1)?.index ?? 0;
  const isNearEnd = last >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  const loaded = () => rows.map(({ id }) => id);
  const select = (id: string, isRange: boolean) => onSelect((isRange ? extend : toggle)(selection, id, loaded()));
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape') onSelect(NOTHING);
    else onKeyDown(event);
  };
  return (
    <div className="files-table" role="table" aria-label="Files" aria-rowcount={total === undefined ? -1 : total + 1}>
      <FilesTableHead search={search} loaded={loaded} selection={selection} onSearch={onSearch} onSelect={onSelect} />
      <div ref={scroll} className="files-rows" role="rowgroup" onKeyDown={onKey}>
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, key, start }) => {
            const file = rows[index];
            return (
              file && (
                <FileTableRow
                  key={key}
                  file={file}
                  index={index}
                  top={start}
                  isSelected={isSelected(selection, file.id)}
                  onSelect={select}
                />
              )
            );
          })}
        </div>
        {isFetchNextPageError && <Failed error={error} onRetry={() => void fetchNextPage()} />}
      </div>
    </div>
  );
}
