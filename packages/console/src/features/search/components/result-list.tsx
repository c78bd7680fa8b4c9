import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { plural } from '../../../ui/formats.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import type { Passage } from '../../../ui/passage.js';
import { Notice } from '../../../ui/view-states.js';
import { hasFilters, modeNames, type SearchAddress, type SearchMode } from '../lib/search-address.js';
import { resultsQuery } from '../queries.js';
import { ResultCard } from './result-card.js';

interface ResultListProps {
  address: SearchAddress;
  mode: SearchMode;
  onOpen: (passage: Passage) => void;
  onFilter: (part: Partial<SearchAddress>) => void;
}

export function ResultList({ address, mode, onOpen, onFilter }: ResultListProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery(resultsQuery(useKiln(), address, mode));
  const title = `${modeNames[mode]} results`;
  if (!data) return <NotLoaded error={error} refetch={refetch} rows={9} label="Searching" />;
  const { results, total, not_served: notServed = [] } = data;
  return (
    <section className="results" aria-label={title} data-stale={isPlaceholderData || error !== null}>
      <p className="muted" role="status">
        {plural(total, 'file')} {total === 1 ? 'matches' : 'match'}
      </p>
      {notServed.map(({ part, message }) => (
        <p key={part} className="results-note">
          {message}
        </p>
      ))}
      {results.length > 0 ? (
        <ol>
          {results.map((result) => (
            <ResultCard
              key={`${result.file_id} ${result.chunk_index ?? ''}`}
              result={result}
              onOpen={onOpen}
              onFilter={onFilter}
            />
          ))}
        </ol>
      ) : (
        <Notice icon="search" title="No passage matches">
          {hasFilters(address) ? 'Try other words, or remove a filter.' : 'Try fewer or other words.'}
        </Notice>
      )}
    </section>
  );
}
