// Real: Postgres. Nothing else claims the replacements.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { startFiles, type FilesHarness } from '../test/files-harness.js';

const CLAIMED = 40;

describe('the claim of replacements', () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  /** Adds replacements of one file, the oldest of which has been due for so many minutes. */
  async function addDue(tenantId: string, count: number, minutes: number): Promise<void> {
    await kiln.sql(
      `with made as (
         insert into files (tenant_id, id, space_id, status, filename) values ($1, $2, $3, 'uploaded', 'a.md') returning id)
       insert into replacements (tenant_id, upload_id, file_id, upload, expires_at, due_at)
       select $1, gen_random_uuid(), id, '{}', now() + interval '1 h', now() - ($5 + n) * interval '1 minute'
       from made, generate_series(1, $4::int) n`,
      [tenantId, uuidv7(), await kiln.spaceId(tenantId, 'default'), count, minutes],
    );
  }

  it('takes those of each tenant, however many of another tenant have been due for longer', async () => {
    const [hostile, ...others] = [uuidv7(), uuidv7(), uuidv7()] as const;
    await addDue(hostile, 1_000, 60);
    for (const tenantId of others) await addDue(tenantId, 2, 1);
    const claimed = await kiln.replacements.claimDue(CLAIMED);
    expect(claimed).toHaveLength(CLAIMED);
    for (const other of others) expect(claimed.filter(({ tenantId }) => tenantId === other)).toHaveLength(2);
    await kiln.sql(`update replacements set due_at = now() + interval '1 h' where checks > 0`);
    const next = await kiln.replacements.claimDue(CLAIMED);
    expect(new Set(next.map(({ tenantId }) => tenantId))).toStrictEqual(new Set([hostile]));
    expect(new Set([...claimed, ...next].map(({ uploadId }) => uploadId)).size).toBe(2 * CLAIMED);
  });
});
