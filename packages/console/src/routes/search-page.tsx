import { useNavigate, useSearch } from '@tanstack/react-router';
import { commandsOf } from '../ui/api-call.js';
import { SearchView } from '../features/search/components/search-view.js';
import type { SearchAddress } from '../features/search/lib/search-address.js';
import { searchCall } from '../features/search/lib/search-call.js';
import { CommandHint, type Commands } from '../ui/command-hint.js';
import { shellQuoted } from '../ui/shell-quoted.js';

/** The search is in the address, so that users can share it and go back to it. */
export function SearchPage() {
  const address = useSearch({ from: '/search' });
  const navigate = useNavigate();
  return (
    <>
      <title>Search – Kiln</title>
      <div className="page-head">
        <h1>Search</h1>
      </div>
      <SearchView
        address={address}
        onChange={(next) => void navigate({ to: '/search', search: next, replace: true })}
      />
      {address.q !== undefined && (
        <p>
          <CommandHint
            title="The same from a terminal or a program"
            commands={searchCommands(location.origin, address)}
          />
        </p>
      )}
    </>
  );
}

function searchCommands(origin: string, address: SearchAddress): Commands {
  const { q = '', view } = address;
  return {
    ...commandsOf(origin, searchCall(address)),
    cli: `kiln ${view === 'ask' ? 'ask' : 'search'} ${shellQuoted(q)}`,
  };
}
