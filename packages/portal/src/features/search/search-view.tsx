// Passages of the documents that fit a text.
import { plural } from '@kiln/console/ui/formats.js';
import type { Passage } from '@kiln/console/ui/passage.js';
import { excerptOf, markedSegments } from '@kiln/console/ui/segments.js';
import type { Schemas } from '@kiln/sdk';
import { useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../../address.js';
import { usePortal } from '../../api/portal-context.js';
import { useLoaded } from '../../api/use-loaded.js';
import { Icon } from '../../ui/icon.js';
import { PassagePanel } from '../../ui/passage-panel.js';
import { usePassage } from '../../ui/use-passage.js';
import { usePaused } from '../../ui/use-paused.js';
import { Failed, Notice, SkeletonRows } from '../../ui/view-states.js';

type Result = Schemas['SearchResponse']['results'][number];

const RESULTS = 20;

export function SearchView({ q }: { q: string }) {
  const [typed, setTyped] = useState(q);
  const text = usePaused(typed);
  const { passage, open, close } = usePassage();
  // Replaces the address after a pause in typing, so that the history gets no entry for each pause.
  useEffect(() => history.replaceState(null, '', hrefOf({ view: 'search', q: text })), [text]);
  return (
    <>
      <h1 tabIndex={-1}>Search</h1>
      <form role="search" class="question" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Search the documents"
          placeholder="Search the documents"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </form>
      <div class="beside" data-with-page={passage !== null}>
        {text === '' ? (
          <Notice icon="search" title="Search in all documents">
            Words in quotes are found together.
          </Notice>
        ) : (
          <Results text={text} onOpen={open} />
        )}
        {passage && <PassagePanel passage={passage} onClose={close} />}
      </div>
    </>
  );
}

function Results({ text, onOpen }: { text: string; onOpen: (passage: Passage) => void }) {
  const portal = usePortal();
  const { value, error, isLoading, reload } = useLoaded(
    (signal) => portal.search({ query: text, mode: 'hybrid', group: 'chunk', limit: RESULTS }, { signal }),
    [portal, text],
  );
  if (error !== null) return <Failed error={error} onRetry={reload} />;
  if (!value) return <SkeletonRows rows={8} label="Searching" />;
  const { results } = value;
  return (
    <section aria-label="Results" data-stale={isLoading}>
      <p class="muted" role="status">
        {results.length === 0
          ? ''
          : `${results.length === RESULTS ? 'The best ' : ''}${plural(results.length, 'passage')}`}
      </p>
      {results.length === 0 ? (
        <Notice icon="search" title="Nothing matches">
          Try fewer or other words.
        </Notice>
      ) : (
        <ol class="results">
          {results.map((result) => (
            <ResultItem key={`${result.file_id} ${result.chunk_index ?? ''}`} result={result} onOpen={onOpen} />
          ))}
        </ol>
      )}
    </section>
  );
}

function ResultItem({ result, onOpen }: { result: Result; onOpen: (passage: Passage) => void }) {
  const {
    file_id: fileId,
    filename = fileId,
    page = null,
    headings = [],
    text,
    highlights = [],
    regions = [],
  } = result;
  const excerpt = excerptOf({ text, ranges: highlights });
  return (
    <li class="result card">
      <header>
        <Icon name="file" />
        <a class="file-link" href={hrefOf({ view: 'file', id: fileId, page: page ?? 1 })}>
          {filename}
        </a>
        {page !== null && (
          <button type="button" class="text-button" onClick={() => onOpen({ fileId, filename, page, regions })}>
            Show page {page}
          </button>
        )}
      </header>
      {headings.length > 0 && <p class="muted">{headings.join(' › ')}</p>}
      <p class="result-text">
        {markedSegments(excerpt.text, excerpt.ranges).map(({ text, start, isMarked }) => {
          // The signs of headings in markdown.
          const shown = text.replaceAll(/^#{1,6} /gm, '').replaceAll(/\n{2,}/g, '\n');
          return isMarked ? <mark key={start}>{shown}</mark> : <span key={start}>{shown}</span>;
        })}
      </p>
    </li>
  );
}
