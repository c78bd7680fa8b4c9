import { useNavigate, useSearch } from '@tanstack/react-router';
import { SearchView } from '../features/search/components/search-view.js';
import { searchCall } from '../features/search/lib/search-call.js';
import { ActionCommands } from '../ui/action-commands.js';
import { PageHead } from '../ui/page-head.js';
import { shellQuoted } from '../ui/shell-quoted.js';

/** The search is in the address, so that users can share it and go back to it. */
export function SearchPage() {
  const address = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const { q, view } = address;
  return (
    <>
      <PageHead title="Search" />
      <SearchView
        address={address}
        onChange={(next) => void navigate({ to: '/search', search: next, replace: true })}
      />
      {q !== undefined && (
        <p>
          <ActionCommands
            calls={[searchCall(address)]}
            cli={`kiln ${view === 'ask' ? 'ask' : 'search'} ${shellQuoted(q)}`}
          />
        </p>
      )}
    </>
  );
}
