import { describe, expect, it } from '@jest/globals';
import type { AnswerHistory } from '@kiln/contracts';
import { questionIn, rewritingPromptOf } from './rewrite-question.js';

describe('the prompt that rewrites a question', () => {
  it('has the last messages of the conversation that fit, the oldest first', () => {
    const history: AnswerHistory = Array.from({ length: 20 }, (_, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `${at} ${'x'.repeat(1_000)}`,
    }));
    const { user } = rewritingPromptOf('And then?', history);
    const shown = [...user.matchAll(/^(User|Assistant): (\d+)/gm)].map(([, role, at]) => `${role} ${at}`);
    expect(shown).toStrictEqual(['Assistant 15', 'User 16', 'Assistant 17', 'User 18', 'Assistant 19']);
    expect(user.endsWith('\n\nLAST QUESTION\nAnd then?')).toBe(true);
  });

  it('has no message when the last one is too long', () => {
    const { user } = rewritingPromptOf('Why?', [{ role: 'user', content: 'x'.repeat(8_000) }]);
    expect(user).toBe('CONVERSATION\n\nLAST QUESTION\nWhy?');
  });
});

it.each([
  [' "How hot\nis the kiln?" ', 'How hot is the kiln?'],
  ['„Wie heiß?“', 'Wie heiß?'],
  ['', null],
  [' "" ', null],
  ['x'.repeat(2_001), null],
])('the reply %j is the question %j', (reply, question) => {
  expect(questionIn(reply)).toBe(question);
});
