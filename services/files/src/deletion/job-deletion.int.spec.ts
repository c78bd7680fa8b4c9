// Real: Postgres. FAKES: the jobs service.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, jobsOperations, unavailable } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

describe('a deletion of files', () => {
  let kiln: FilesHarness;
  let answer: () => Promise<object>;
  const asked: unknown[] = [];
  const context = contextOf(uuidv7());
  beforeAll(async () => {
    const connectionsAnswer = (operation: object, input: unknown) => {
      if (operation !== jobsOperations.deleteJobs) return Promise.reject(unavailable('Another service'));
      asked.push(input);
      return answer();
    };
    kiln = await startFiles({ connectionsAnswer });
  });
  afterAll(() => kiln.close());

  async function registered(): Promise<string> {
    const input = storedFile({});
    await kiln.registerFiles.stored(input, context);
    return input.file_id;
  }

  it('is answered after the jobs of the deleted files, and of no others, are deleted', async () => {
    const [first, second] = [await registered(), await registered()];
    let areDeleted = false;
    answer = async () => {
      await kiln.sql('select 1');
      areDeleted = true;
      return {};
    };
    asked.length = 0;
    await kiln.deleteFiles.many({ file_ids: [first, second, encodeId('file', uuidv7())] }, context);
    expect(areDeleted).toBe(true);
    expect(asked).toHaveLength(1);
    expect((asked[0] as { file_ids: string[] }).file_ids.toSorted()).toStrictEqual([first, second].toSorted());
  });

  it('asks for nothing if there is no such file', async () => {
    asked.length = 0;
    await expect(kiln.deleteFiles.one({ id: encodeId('file', uuidv7()) }, context)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(asked).toStrictEqual([]);
  });

  it('succeeds without the jobs service, which gets the event', async () => {
    const id = await registered();
    await kiln.sql('delete from outbox');
    answer = () => Promise.reject(unavailable('The jobs service'));
    expect(await kiln.deleteFiles.one({ id }, context)).toStrictEqual({ deleted: true });
    const events = await kiln.sql<{ type: string }>('select type from outbox');
    expect(events.map(({ type }) => type)).toStrictEqual(['file.deleted']);
  });
});
