import { FilterInput } from '../../../ui/filter-input.js';
import { statuses, type FilesSearch, type FileStatus } from '../lib/files-search.js';

interface FilesFiltersProps {
  search: FilesSearch;
  spaces: readonly { space: string; file_count: number }[];
  onSearch: (search: FilesSearch) => void;
}

export function FilesFilters({ search, spaces, onSearch }: FilesFiltersProps) {
  const change = (part: { q?: string | undefined; status?: FileStatus | undefined; space?: string | undefined }) => {
    const { q, status, space } = { ...search, ...part };
    onSearch({
      ...(q && { q }),
      ...(status && { status }),
      ...(space && { space }),
      ...(search.sort && { sort: search.sort }),
      ...(search.order && { order: search.order }),
    });
  };
  const isListed = search.space === undefined || spaces.some(({ space }) => space === search.space);
  return (
    <search className="files-filters">
      <FilterInput
        type="search"
        data-page-search
        label="Filter by name"
        placeholder="Filter by name  /"
        value={search.q ?? ''}
        onChange={(q) => change({ q })}
      />
      <select aria-label="Space" value={search.space ?? ''} onChange={({ target }) => change({ space: target.value })}>
        <option value="">All spaces</option>
        {!isListed && <option value={search.space}>{search.space}</option>}
        {spaces.map(({ space, file_count: count }) => (
          <option key={space} value={space}>
            {space} ({count})
          </option>
        ))}
      </select>
      <select
        aria-label="Status"
        value={search.status ?? ''}
        onChange={({ target }) => change({ status: statuses.find((status) => status === target.value) })}
      >
        <option value="">Any status</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {status}
          </option>
        ))}
      </select>
    </search>
  );
}
