import { oneOf } from '../../../ui/address.js';
import { defined } from '../../../ui/defined.js';
import { FilterInput } from '../../../ui/filter-input.js';
import { statuses, type FilesSearch } from '../lib/files-search.js';

interface FilesFiltersProps {
  search: FilesSearch;
  spaces: readonly { space: string; file_count: number }[];
  onSearch: (search: FilesSearch) => void;
}

export function FilesFilters({ search, spaces, onSearch }: FilesFiltersProps) {
  const change = (part: { [Name in keyof FilesSearch]: FilesSearch[Name] | undefined }) =>
    onSearch(defined({ ...search, ...part }));
  const isListed = search.space === undefined || spaces.some(({ space }) => space === search.space);
  return (
    <search className="files-filters">
      <FilterInput
        type="search"
        data-page-search
        label="Filter by name"
        placeholder="Filter by name  /"
        value={search.q ?? ''}
        onChange={(q) => change({ q: q || undefined })}
      />
      <select
        aria-label="Space"
        value={search.space ?? ''}
        onChange={({ target }) => change({ space: target.value || undefined })}
      >
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
        onChange={({ target }) => change({ status: oneOf(statuses, target.value) })}
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
