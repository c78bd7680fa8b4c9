// The answer when the files do not answer a question, and how a model says so.
import { NO_ANSWER } from './prompt.js';

export const NOTHING_FOUND = 'The files do not contain an answer to this question.';

/** Replaces an answer that is empty, or begins with the model's sign, by the sentence. Holds back no more than the sign. */
export async function* withoutSign(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let beginning: string | null = '';
  for await (const piece of pieces) {
    if (beginning === null) {
      yield piece;
      continue;
    }
    beginning += piece;
    const said = beginning.trimStart();
    if (said.startsWith(NO_ANSWER)) return yield NOTHING_FOUND;
    if (NO_ANSWER.startsWith(said)) continue;
    yield beginning;
    beginning = null;
  }
  if (beginning !== null) yield beginning.trim() === '' ? NOTHING_FOUND : beginning;
}
