// The answer to a question, part by part.
import type { AnswerEnding } from '@kiln/console/ui/passage.js';
import { useEffect, useState } from 'preact/hooks';
import { useConnection } from '../../api/portal-context.js';
import { loadPermitted } from '../../api/use-loaded.js';

export interface Answer {
  text: string;
  /** Null until the answer is complete. */
  ending: AnswerEnding | null;
  error: unknown;
}

const EMPTY: Answer = { text: '', ending: null, error: null };

/** A new `attempt` asks again. Null without a question. */
export function useAnswer(question: string, attempt: number): Answer | null {
  const { portal, session } = useConnection();
  const [answer, setAnswer] = useState<Answer>(EMPTY);
  useEffect(() => {
    if (question === '') return;
    const left = new AbortController();
    const change = (part: (before: Answer) => Partial<Answer>) => {
      if (!left.signal.aborted) setAnswer((before) => ({ ...before, ...part(before) }));
    };
    const read = async () => {
      change(() => EMPTY);
      for await (const event of portal.askStream({ question }, { signal: left.signal })) {
        if (event.type === 'chunk') change(({ text }) => ({ text: text + event.content }));
        if (event.type === 'sources') change(() => ({ ending: event }));
      }
    };
    loadPermitted(read, session).catch((error: unknown) => change(() => ({ error })));
    return () => left.abort();
  }, [portal, session, question, attempt]);
  return question === '' ? null : answer;
}
