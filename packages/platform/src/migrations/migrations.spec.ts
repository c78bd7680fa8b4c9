import { expect, it } from '@jest/globals';
import { migrationProblems } from '@kiln/testing';
import { checksumsOf } from '../postgres/migration-checksums.js';
import { platformMigrations } from './index.js';

it('migrations are all listed in order, and an expanding migration removes nothing', async () => {
  const checksums = await checksumsOf(platformMigrations.map((Migration) => new Migration()));
  expect(await migrationProblems(new URL('.', import.meta.url), platformMigrations, checksums)).toStrictEqual([]);
});
