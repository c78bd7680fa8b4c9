import { passageOf, type Passage } from '@kiln/console/ui/passage.js';
import { answerParts } from '@kiln/console/ui/segments.js';
import { hrefOf } from '../../address.js';
import type { Answer } from './use-answer.js';

interface CitedProps {
  answer: Answer;
  onOpen: (passage: Passage) => void;
}

/** `[1]` becomes a button that opens the quoted page. */
export function AnswerText({ answer: { text, ending }, onOpen }: CitedProps) {
  return (
    <p class="answer-text">
      {answerParts(text).map(({ text, start, citation }) => {
        const passage = citation === null ? null : passageOf(ending, citation, start);
        if (!passage) return <span key={start}>{text}</span>;
        const label = `Source ${citation ?? ''}: ${passage.filename}, page ${passage.page}`;
        return (
          <button key={start} type="button" class="cite" aria-label={label} onClick={() => onOpen(passage)}>
            {citation}
          </button>
        );
      })}
    </p>
  );
}

export function Quotes({ answer: { ending }, onOpen }: CitedProps) {
  const sources = new Map(ending?.sources.map((source) => [source.citation, source]));
  const quoted = ending?.citations.filter(({ quote }) => quote !== null) ?? [];
  if (quoted.length === 0) return null;
  return (
    <ol class="quotes" aria-label="Quotes">
      {quoted.map(({ citation, position, quote }) => {
        const passage = passageOf(ending, citation, position);
        const source = sources.get(citation);
        return (
          <li key={`${citation} ${position}`}>
            <span class="cite">{citation}</span>
            <blockquote>{quote?.text}</blockquote>
            {passage ? (
              <button type="button" class="text-button" onClick={() => onOpen(passage)}>
                {passage.filename}, page {passage.page}
              </button>
            ) : (
              source && <a href={hrefOf({ view: 'file', id: source.file_id, page: 1 })}>{source.filename}</a>
            )}
          </li>
        );
      })}
    </ol>
  );
}
