// Makes a question that refers to a conversation ("And how heavy is it?") one that can be understood alone. Only that question is searched
// and answered, so the conversation cannot add statements to the answer.
import type { AnswerHistory } from '@kiln/contracts';
import { estimateTokens } from '../../providers/estimate-tokens.domain.js';
import type { Prompt } from './prompt.js';

/** Of the conversation. Older messages are left out. Small models have contexts of 4,000. */
const HISTORY_TOKENS_MAX = 1_500;
const QUESTION_CHARACTERS_MAX = 2_000;
const QUOTES = /^["'“”„«»]+|["'“”„«»]+$/g;

const SYSTEM = [
  'You rewrite the last question of a conversation so that it can be understood without the conversation: replace words such as "it",',
  '"there" and "the second one" by what they mean. If it can be understood already, repeat it unchanged.',
  'Keep its language. Reply with the question and nothing else. Do not answer it.',
].join('\n');

export function rewritingPromptOf(question: string, history: AnswerHistory): Prompt {
  const lines = recentOf(history).map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`);
  return { system: SYSTEM, user: ['CONVERSATION', ...lines, '', 'LAST QUESTION', question].join('\n') };
}

/** Null when the reply is no question. */
export function questionIn(reply: string): string | null {
  const question = reply.replace(/\s+/g, ' ').trim().replace(QUOTES, '').trim();
  return question === '' || question.length > QUESTION_CHARACTERS_MAX ? null : question;
}

/** The last messages that fit, the oldest first. */
function recentOf(history: AnswerHistory): AnswerHistory {
  let tokens = 0;
  const first = history.findLastIndex(({ content }) => (tokens += estimateTokens(content)) > HISTORY_TOKENS_MAX);
  return history.slice(first + 1);
}
