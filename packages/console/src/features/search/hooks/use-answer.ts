// An answer as it arrives. A new question, or leaving the page, ends the request of the last one.
import { useEffect, useState } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import type { AnswerEnding } from '../../../ui/passage.js';

export interface Answer {
  text: string;
  /** Null while the answer arrives. */
  ending: AnswerEnding | null;
  error: unknown;
}

interface Asked {
  question: string;
  space: string | undefined;
  /** Grows with each request for an answer. */
  attempt: number;
}

export function useAnswer({ question, space, attempt }: Asked): Answer | null {
  const kiln = useKiln();
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (question === '') return;
    const left = new AbortController();
    const change = (part: (before: Answer) => Partial<Answer>) =>
      setAnswer((before) => (before && !left.signal.aborted ? { ...before, ...part(before) } : before));
    const read = async () => {
      setAnswer({ text: '', ending: null, error: null });
      const body = { question, ...(space !== undefined && { space }) };
      for await (const event of kiln.search.askStream(body, { signal: left.signal })) {
        if (event.type === 'chunk') change(({ text }) => ({ text: text + event.content }));
        if (event.type === 'sources') change(() => ({ ending: event }));
      }
    };
    read().catch((error: unknown) => change(() => ({ error })));
    return () => left.abort();
  }, [kiln, question, space, attempt]);
  return question === '' ? null : answer;
}
