import { passageOf, type Passage } from '../../../ui/passage.js';
import { answerParts } from '../../../ui/segments.js';
import { Failed, Notice, SkeletonRows } from '../../../ui/view-states.js';
import type { Answer } from '../hooks/use-answer.js';

interface AnswerViewProps {
  answer: Answer | null;
  onOpen: (passage: Passage) => void;
  onRetry: () => void;
}

export function AnswerView({ answer, onOpen, onRetry }: AnswerViewProps) {
  if (!answer) {
    return (
      <Notice icon="search" title="Ask your files">
        The answer quotes the files, and each quote opens its page.
      </Notice>
    );
  }
  const { text, ending, error } = answer;
  if (error) return <Failed error={error} onRetry={onRetry} />;
  if (text === '' && !ending) return <SkeletonRows rows={4} label="Looking for an answer" />;
  return (
    <section className="answer" aria-label="Answer" aria-busy={ending === null}>
      <CitedText answer={answer} onOpen={onOpen} />
      {ending?.truncated && <p className="muted">The answer was cut off: its end is missing.</p>}
      {ending?.model === null && <p className="muted">Sentences of the files: no chat model is configured.</p>}
      {ending && <Quotes answer={answer} onOpen={onOpen} />}
    </section>
  );
}

interface CitedProps {
  answer: Answer;
  onOpen: (passage: Passage) => void;
}

function CitedText({ answer, onOpen }: CitedProps) {
  return (
    <p className="answer-text">
      {answerParts(answer.text).map(({ text, start, citation }) => {
        const passage = citation === null ? null : passageOf(answer.ending, citation, start);
        if (!passage) return <span key={start}>{text}</span>;
        const label = `Source ${citation ?? ''}: ${passage.filename}, page ${passage.page}`;
        return (
          <button key={start} type="button" className="cite" aria-label={label} onClick={() => onOpen(passage)}>
            {citation}
          </button>
        );
      })}
    </p>
  );
}

function Quotes({ answer, onOpen }: CitedProps) {
  const citations = answer.ending?.citations ?? [];
  const names = new Map(answer.ending?.sources.map(({ citation, filename }) => [citation, filename]));
  const quoted = citations.filter(({ quote }) => quote !== null);
  if (quoted.length === 0) return null;
  return (
    <ol className="quotes" aria-label="Quotes">
      {quoted.map(({ citation, position, quote }) => {
        const passage = passageOf(answer.ending, citation, position);
        return (
          <li key={`${citation} ${position}`}>
            <span className="cite">{citation}</span>
            <blockquote>{quote?.text}</blockquote>
            {passage ? (
              <button type="button" className="text-button" onClick={() => onOpen(passage)}>
                {passage.filename}, page {passage.page}
              </button>
            ) : (
              <span className="muted">{names.get(citation)}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
