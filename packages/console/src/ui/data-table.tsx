import type { ReactNode } from 'react';
import './data-table.css';

export interface Column<Row> {
  /** Empty for a column of buttons. */
  title: string;
  className?: string;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  label: string;
  className?: string;
  /** The first is the head of its row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

export function DataTable<Row>({ label, className = '', columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <div className={`table-scroll ${className}`} tabIndex={0} role="group" aria-label={`Table: ${label}`}>
      <table className="data-table">
        <thead>
          <tr>
            {columns.map(({ title, className: kind }) => (
              <th key={title} scope="col" className={kind}>
                {title === '' ? <span className="visually-hidden">Actions</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, className: kind, cell }, at) =>
                at === 0 ? (
                  <th key={title} scope="row" className={kind}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} className={kind}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
