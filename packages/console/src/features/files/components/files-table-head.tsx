import { useEffect, useRef } from 'react';
import { Icon } from '../../../ui/icon.js';
import { sortedBy, type FilesSearch, type SortField } from '../lib/files-search.js';
import { NOTHING, selectLoaded, type Selection } from '../lib/selection.js';

interface FilesTableHeadProps {
  search: FilesSearch;
  loaded: () => readonly string[];
  selection: Selection;
  onSearch: (search: FilesSearch) => void;
  onSelect: (selection: Selection) => void;
}

interface Column {
  title: string;
  className: string;
  field?: SortField;
}

const columns: readonly Column[] = [
  { title: 'Name', className: 'files-name', field: 'filename' },
  { title: 'Space', className: 'files-space' },
  { title: 'Status', className: '' },
  { title: 'Size', className: 'files-size', field: 'size_bytes' },
  { title: 'Added', className: 'files-added', field: 'created_at' },
];

export function FilesTableHead({ search, loaded, selection, onSearch, onSelect }: FilesTableHeadProps) {
  const { sort = 'created_at', order = 'desc' } = search;
  const box = useRef<HTMLInputElement>(null);
  const hasSome = selection.isAll || selection.ids.size > 0;
  const hasEvery = selection.isAll || (hasSome && loaded().every((id) => selection.ids.has(id)));
  useEffect(() => {
    if (box.current) box.current.indeterminate = hasSome && !hasEvery;
  }, [hasSome, hasEvery]);
  return (
    <div role="rowgroup">
      <div role="row" className="files-row files-head" aria-rowindex={1}>
        <span role="columnheader" aria-label="Selection">
          <input
            ref={box}
            type="checkbox"
            aria-label="Select all loaded files"
            checked={hasEvery}
            onChange={() => onSelect(hasSome ? NOTHING : selectLoaded(loaded()))}
          />
        </span>
        {columns.map(({ title, className, field }) => (
          <span
            key={title}
            role="columnheader"
            className={className}
            {...(field === sort && { 'aria-sort': order === 'asc' ? 'ascending' : 'descending' })}
          >
            {field ? (
              <button type="button" onClick={() => onSearch({ ...search, ...sortedBy(search, field) })}>
                {title}
                {field === sort && <Icon name={order === 'asc' ? 'arrowUp' : 'arrowDown'} />}
              </button>
            ) : (
              title
            )}
          </span>
        ))}
      </div>
    </div>
  );
}
