// A question to the documents, and its answer with quotes.
import type { Passage } from '@kiln/console/ui/passage.js';
import { useState } from 'preact/hooks';
import { Icon } from '../../ui/icon.js';
import { PassagePanel } from '../../ui/passage-panel.js';
import { usePassage } from '../../ui/use-passage.js';
import { Failed, Notice, SkeletonRows } from '../../ui/view-states.js';
import { AnswerText, Quotes } from './answer-text.js';
import { useAnswer, type Answer } from './use-answer.js';

const QUESTION_CHARACTERS_MAX = 1_000;

export function AskView() {
  const [typed, setTyped] = useState('');
  const [question, setQuestion] = useState('');
  const [attempt, setAttempt] = useState(0);
  const answer = useAnswer(question, attempt);
  const { passage, open, close } = usePassage();
  const ask = () => {
    setQuestion(typed.trim());
    setAttempt((before) => before + 1);
    close();
  };
  return (
    <>
      <h1 tabIndex={-1}>Ask</h1>
      <form
        class="question"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <input
          aria-label="Question"
          placeholder="Ask the documents"
          maxLength={QUESTION_CHARACTERS_MAX}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="button button-primary" disabled={typed.trim() === ''}>
          Ask
        </button>
      </form>
      <div class="beside" data-with-page={passage !== null}>
        <AnswerState answer={answer} onOpen={open} onRetry={() => setAttempt((before) => before + 1)} />
        {passage && <PassagePanel passage={passage} onClose={close} />}
      </div>
    </>
  );
}

interface AnswerStateProps {
  answer: Answer | null;
  onOpen: (passage: Passage) => void;
  onRetry: () => void;
}

function AnswerState({ answer, onOpen, onRetry }: AnswerStateProps) {
  if (!answer) {
    return (
      <Notice icon="chat" title="Ask a question">
        The answer quotes the documents, and each quote opens its page.
      </Notice>
    );
  }
  const { text, ending, error } = answer;
  if (error !== null) return <Failed error={error} onRetry={onRetry} />;
  if (text === '' && !ending) return <SkeletonRows rows={4} label="Looking for an answer" />;
  return (
    <section class="answer card" aria-label="Answer" aria-busy={ending === null}>
      <AnswerText answer={answer} onOpen={onOpen} />
      {ending?.truncated && <p class="muted">The answer was cut off: its end is missing.</p>}
      <p class="visually-hidden" role="status">
        {ending && (ending.truncated ? 'The answer was cut off.' : 'The answer is complete.')}
      </p>
      {ending && ending.sources.length > 0 && (
        <p class="muted answer-note">
          <Icon name="alert" /> Read the quotes before you rely on the answer.
        </p>
      )}
      {ending && <Quotes answer={answer} onOpen={onOpen} />}
    </section>
  );
}
