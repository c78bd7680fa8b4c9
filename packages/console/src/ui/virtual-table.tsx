// A table of which only the visible rows exist, so that ten thousand rows scroll like ten. Its head stays on top.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import './virtual-table.css';

const ROW_HEIGHT = 36;
/** More rows are loaded when so many are left below. */
const ROWS_AHEAD = 40;

interface VirtualTableProps<Row> {
  label: string;
  /** A class with `grid-template-columns` for its rows. */
  className: string;
  /** The last one may be empty, for buttons. */
  columns: readonly string[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** One for each column. The first is the head of the row. */
  cellsOf: (row: Row) => readonly ReactNode[];
  /** Loads more rows. Null if there are none, or while they are being loaded. */
  onMore: (() => void) | null;
  hasMore: boolean;
}

export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, className, columns, rows, keyOf, cellsOf, onMore, hasMore } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => (rows[index] === undefined ? index : keyOf(rows[index])),
    overscan: 16,
    scrollMargin: ROW_HEIGHT,
    scrollPaddingStart: ROW_HEIGHT,
  });
  const items = virtual.getVirtualItems();
  // A list that was not scrolled loads nothing: a filter may leave few rows of many pages.
  const isNearEnd = (virtual.scrollOffset ?? 0) > 0 && (items.at(-1)?.index ?? 0) >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNearEnd) onMore?.();
  }, [isNearEnd, onMore]);

  const focusRow = (index: number, at: number) => {
    virtual.scrollToIndex(index);
    // The row exists after the next frame.
    requestAnimationFrame(() => controlsOf(scroll.current?.querySelector(`[data-index="${index}"]`))[at]?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-index]') : null;
    if (step === undefined || !row) return;
    event.preventDefault();
    const next = Math.min(rows.length - 1, Math.max(0, Number(row.dataset['index']) + step));
    focusRow(next, controlsOf(row).indexOf(event.target as HTMLElement));
  };
  return (
    <div ref={scroll} className={`virtual-table ${className}`} tabIndex={0} role="group" aria-label={`Table: ${label}`}>
      <div role="table" aria-label={label} aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <div role="rowgroup" className="virtual-head">
          <div role="row" className="virtual-row" aria-rowindex={1}>
            {columns.map((title, at) => (
              <span key={at} role="columnheader">
                {title === '' ? <span className="visually-hidden">Actions</span> : title}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize() }} onKeyDown={onKeyDown}>
          {items.map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <div
                  key={key}
                  role="row"
                  className="virtual-row"
                  // The first row of the table is its head, and rows are counted from 1.
                  aria-rowindex={index + 2}
                  data-index={index}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {cellsOf(row).map((cell, at) => (
                    <span key={at} role={at === 0 ? 'rowheader' : 'cell'}>
                      {cell}
                    </span>
                  ))}
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

const controlsOf = (row: Element | null | undefined): HTMLElement[] =>
  row ? [...row.querySelectorAll<HTMLElement>('a, button, input')] : [];
