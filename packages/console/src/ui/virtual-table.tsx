// A table of which only the visible rows exist. Its head stays on top.
import { useEffect, type ReactNode } from 'react';
import { ROW_HEIGHT, useVirtualRows } from './use-virtual-rows.js';
import './virtual-table.css';

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
  const { scroll, virtual, items, onKeyDown } = useVirtualRows({
    count: rows.length,
    keyOf: (index) => rows[index] && keyOf(rows[index]),
    headHeight: ROW_HEIGHT,
  });
  // A list that was not scrolled loads nothing: a filter may leave few rows of many pages.
  const isNearEnd = (virtual.scrollOffset ?? 0) > 0 && (items.at(-1)?.index ?? 0) >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNearEnd) onMore?.();
  }, [isNearEnd, onMore]);

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
