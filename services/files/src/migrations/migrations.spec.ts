import { expect, it } from '@jest/globals';
import { checksumsOf } from '@kiln/platform';
import { migrationProblems } from '@kiln/testing';
import { migrations } from './index.js';

it('migrations are all listed, in order, and those that expand take nothing away', async () => {
  const checksums = await checksumsOf(migrations.map((Migration) => new Migration()));
  expect(await migrationProblems(new URL('.', import.meta.url), migrations, checksums)).toStrictEqual([]);
});
