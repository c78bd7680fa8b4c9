import { useEffect, useEffectEvent, useState } from 'react';
import { statuses, type FilesSearch, type FileStatus } from '../lib/files-search.js';

interface FilesFiltersProps {
  search: FilesSearch;
  spaces: readonly { space: string; file_count: number }[];
  onSearch: (search: FilesSearch) => void;
}

const TYPING_MS = 250;

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
      <NameFilter value={search.q ?? ''} onChange={(q) => change({ q })} />
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

/** Searches when the user pauses. */
function NameFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    // The address has changed, for example by the back button.
    setKnown(value);
    setTyped(value);
  }
  const onPause = useEffectEvent(() => {
    if (typed.trim() !== value) onChange(typed.trim());
  });
  useEffect(() => {
    const timer = setTimeout(() => onPause(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      type="search"
      data-page-search
      aria-label="Filter by name"
      placeholder="Filter by name  /"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
