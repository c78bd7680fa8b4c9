// Searches as one types, in one mode or in all three side by side, and answers questions. A passage opens its page.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { spacesQuery } from '../../../api/spaces.js';
import '../../../ui/answer.css';
import { FilterSelect } from '../../../ui/filter-select.js';
import { OptionGroup } from '../../../ui/option-group.js';
import type { Passage } from '../../../ui/passage.js';
import { Notice } from '../../../ui/view-states.js';
import { useAnswer } from '../hooks/use-answer.js';
import { addressOf, modeNames, views, type SearchAddress, type SearchView as View } from '../lib/search-address.js';
import '../search.css';
import { AnswerView } from './answer-view.js';
import { FilterChips } from './filter-chips.js';
import { PassagePanel } from './passage-panel.js';
import { ResultList } from './result-list.js';
import { SearchBar } from './search-bar.js';

interface SearchViewProps {
  address: SearchAddress;
  onChange: (address: SearchAddress) => void;
}

const viewNames: Readonly<Record<View, string>> = { ...modeNames, compare: 'Compare', ask: 'Ask' };
const COMPARED = ['text', 'vector', 'hybrid'] as const;

export function SearchView({ address, onChange }: SearchViewProps) {
  const { q = '', view = 'hybrid' } = address;
  const { data } = useQuery(spacesQuery(useKiln()));
  const [passage, setPassage] = useState<Passage | null>(null);
  const [attempt, setAttempt] = useState(0);
  const answer = useAnswer({ question: view === 'ask' ? q : '', space: address.space, attempt });
  const change = (part: { [Key in keyof SearchAddress]?: SearchAddress[Key] | undefined }) => {
    const { q: text, view: shown, space, type, meta } = { ...address, ...part };
    setPassage(null);
    onChange(addressOf({ q: text, view: shown, space, type, meta }));
  };
  const modes = view === 'compare' ? COMPARED : view === 'ask' ? [] : ([view] as const);
  return (
    <div className="search">
      <SearchBar value={q} view={view} onChange={(text) => change({ q: text })} onAsk={() => setAttempt(attempt + 1)} />
      <div className="search-options">
        <OptionGroup
          label="How to search"
          options={views}
          titleOf={(one) => viewNames[one]}
          value={view}
          onChange={(one) => change({ view: one })}
        />
        <FilterSelect
          label="Space"
          all="All spaces"
          options={data?.spaces.map(({ space }) => space) ?? []}
          value={address.space}
          onChange={(space) => change({ space })}
        />
        <FilterChips address={address} onRemove={(name) => change({ [name]: undefined })} />
      </div>
      <div className="search-body" data-with-page={passage !== null}>
        <div className="search-columns" data-columns={Math.max(1, modes.length)}>
          {view === 'ask' && <AnswerView answer={answer} onOpen={setPassage} onRetry={() => setAttempt(attempt + 1)} />}
          {view !== 'ask' && q === '' && (
            <Notice icon="search" title="Search the content of files">
              Type words, &ldquo;a phrase&rdquo; in quotes, or -word to exclude. Compare shows what words and meaning
              find.
            </Notice>
          )}
          {q !== '' &&
            modes.map((mode) => (
              <div key={mode} className="search-column">
                {view === 'compare' && <h2>{modeNames[mode]}</h2>}
                <ResultList address={address} mode={mode} onOpen={setPassage} onFilter={change} />
              </div>
            ))}
        </div>
        {passage && <PassagePanel passage={passage} onClose={() => setPassage(null)} />}
      </div>
    </div>
  );
}
