import { describe, expect, it } from '@jest/globals';
import { NOTHING_FOUND, withoutSign } from './no-answer.js';

async function read(...pieces: string[]) {
  async function* stream() {
    yield* pieces;
  }
  const read: string[] = [];
  for await (const piece of withoutSign(stream())) read.push(piece);
  return read;
}

describe('the answer of a model', () => {
  it.each([
    [['NO_ANSWER'], [NOTHING_FOUND]],
    [[' NO_', 'ANS', 'WER', '.'], [NOTHING_FOUND]],
    [[], [NOTHING_FOUND]],
    [[' ', '\n'], [NOTHING_FOUND]],
    [
      ['No', ', it is', ' not.'],
      ['No', ', it is', ' not.'],
    ],
    [['NO_', 'THING'], ['NO_THING']],
    [['N'], ['N']],
  ])('%j is shown as %j', async (pieces, shown) => {
    expect(await read(...pieces)).toStrictEqual(shown);
  });
});
