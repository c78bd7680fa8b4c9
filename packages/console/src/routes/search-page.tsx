import { useNavigate, useSearch } from '@tanstack/react-router';
import { SearchView } from '../features/search/components/search-view.js';
import { filtersOf, type SearchAddress } from '../features/search/lib/search-address.js';
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
  const { q = '', view = 'hybrid', space } = address;
  const isQuestion = view === 'ask';
  const mode = view === 'compare' || isQuestion ? 'hybrid' : view;
  const body = isQuestion
    ? { question: q, ...(space !== undefined && { space }) }
    : { query: q, mode, group: 'chunk', ...filtersOf(address) };
  const json = JSON.stringify(body);
  return {
    curl: `curl ${origin}/v1/${isQuestion ? 'qa' : 'search'} \\
  -H "Authorization: ApiKey $KILN_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d ${shellQuoted(json)}`,
    sdk: `import { Kiln } from '@kiln/sdk';

const kiln = new Kiln({ baseUrl: '${origin}', apiKey: process.env.KILN_API_KEY });
await kiln.search.${isQuestion ? 'ask' : 'query'}(${json});`,
    cli: `kiln ${isQuestion ? 'ask' : 'search'} ${shellQuoted(q)}`,
  };
}
