// Rows that exist only where they are visible, so that ten thousand files scroll like ten.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { Failed } from '../../../ui/view-states.js';
import type { useFileRows } from '../hooks/use-file-rows.js';
import type { FilesSearch } from '../lib/files-search.js';
import { extend, isSelected, NOTHING, toggle, type Selection } from '../lib/selection.js';
import { FileTableRow } from './file-table-row.js';
import { FilesTableHead } from './files-table-head.js';

const ROW_HEIGHT = 36;
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
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 16,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isNearEnd = last >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  const loaded = () => rows.map(({ id }) => id);
  const select = (id: string, isRange: boolean) => onSelect((isRange ? extend : toggle)(selection, id, loaded()));
  const focusRow = (index: number) => {
    virtual.scrollToIndex(index);
    // The row exists after the next frame.
    requestAnimationFrame(() => scroll.current?.querySelector<HTMLElement>(`[data-index="${index}"] input`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape') return onSelect(NOTHING);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    const at = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-index]') : null;
    if (step === undefined || !at) return;
    event.preventDefault();
    focusRow(Math.min(rows.length - 1, Math.max(0, Number(at.dataset['index']) + step)));
  };
  return (
    <div className="files-table" role="table" aria-label="Files" aria-rowcount={total === undefined ? -1 : total + 1}>
      <FilesTableHead search={search} loaded={loaded} selection={selection} onSearch={onSearch} onSelect={onSelect} />
      <div ref={scroll} className="files-rows" role="rowgroup" onKeyDown={onKeyDown}>
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
