import { expect, it } from '@jest/globals';
import { migrationProblems } from '@kiln/testing';
import { migrations } from './index.js';

it('migrations are all listed in order, and an expanding migration removes nothing', async () => {
  expect(await migrationProblems(new URL('.', import.meta.url), migrations)).toStrictEqual([]);
});
