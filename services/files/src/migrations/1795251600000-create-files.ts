import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';
import { BACKGROUND_WORK } from './create-files/background-work.js';
import { BATCHES } from './create-files/batches.js';
import { CHANGED_FILES } from './create-files/changed-files.js';
import { CONTENTS } from './create-files/contents.js';
import { FILES } from './create-files/files.js';
import { SPACE_COUNTS } from './create-files/space-counts.js';
import { SPACES } from './create-files/spaces.js';

/**
 * Every key leads with the tenant, so that the schema can be distributed by tenant. Times have milliseconds, the precision of a
 * cursor: with a finer one, rows could be skipped between two pages.
 */
export class CreateFiles1795251600000 extends Migration {
  static readonly phase = 'expand';
  static readonly extensions = ['btree_gin'] as const;

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [SPACES, FILES, SPACE_COUNTS, CHANGED_FILES, CONTENTS, BATCHES, BACKGROUND_WORK])
      await runner.query(part);
  }
}
