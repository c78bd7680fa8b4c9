import { defined } from '../../../ui/defined.js';
import { FilterInput } from '../../../ui/filter-input.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { statuses, type FilesSearch } from '../lib/files-search.js';

interface FilesFiltersProps {
  search: FilesSearch;
  spaces: readonly { space: string; file_count: number }[];
  onSearch: (search: FilesSearch) => void;
}

export function FilesFilters({ search, spaces, onSearch }: FilesFiltersProps) {
  const change = (part: { [Name in keyof FilesSearch]: FilesSearch[Name] | undefined }) => {
    const { q, status, space, sort, order } = { ...search, ...part };
    onSearch(defined({ q, status, space, sort, order }));
  };
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
      <FilterSelect
        label="Space"
        all="All spaces"
        options={spaces.map(({ space }) => space)}
        titleOf={(name) => `${name} (${spaces.find(({ space }) => space === name)?.file_count ?? 0})`}
        value={search.space}
        onChange={(space) => change({ space })}
      />
      <FilterSelect
        label="Status"
        all="Any status"
        options={statuses}
        value={search.status}
        onChange={(status) => change({ status })}
      />
    </search>
  );
}
