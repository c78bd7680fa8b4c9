// Real: Postgres and the object store. Faked: the keys of the object store expire in 20 minutes, or cannot be had.
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { StorageError } from '@kiln/storage';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { PART_BYTES, partCalls, partUpload } from '../test/part-calls.js';

let kiln: FilesHarness;
const context = contextOf(uuidv7());
beforeAll(async () => {
  kiln = await startFiles();
});
afterAll(() => kiln.close());
afterEach(() => void jest.restoreAllMocks());

/** Seconds for which the store accepts the URL. */
const validSeconds = (url: string) => Number(new URL(url).searchParams.get('X-Amz-Expires'));
function assertShortened({ url, expires_in }: { url: string; expires_in: number }): void {
  expect(validSeconds(url)).toBe(expires_in);
  expect(expires_in).toBeLessThanOrEqual(1_200);
}

it('URLs of uploads, of parts and of downloads expire with the keys that signed them, as their answers say', async () => {
  jest.spyOn(kiln.objects, 'keysExpireAt').mockResolvedValue(new Date(Date.now() + 1_200_000));
  const { upload_url: url, expires_in } = await kiln.registerFiles.upload(directUpload(), context);
  assertShortened({ url, expires_in });

  const calls = partCalls(kiln);
  const { id } = await calls.begin.execute(partUpload(PART_BYTES), context);
  const { parts, expires_in: partsExpireIn } = await calls.sign.execute({ id, part_numbers: [1] }, context);
  for (const part of parts) assertShortened({ url: part.url, expires_in: partsExpireIn });

  const stored = storedFile();
  await kiln.registerFiles.stored(stored, context);
  assertShortened(await kiln.downloadFile.execute({ id: stored.file_id }, context));
});

it('while there are no keys, URLs of uploads, of parts and of downloads are UNAVAILABLE', async () => {
  const calls = partCalls(kiln);
  const { id } = await calls.begin.execute(partUpload(PART_BYTES), context);
  const stored = storedFile();
  await kiln.registerFiles.stored(stored, context);
  const away = new StorageError('unavailable', 'getting the credentials of this machine', { retryable: true });
  jest.spyOn(kiln.objects, 'keysExpireAt').mockRejectedValue(away);
  const refused = { code: 'UNAVAILABLE' };
  await expect(kiln.registerFiles.upload(directUpload(), context)).rejects.toMatchObject(refused);
  await expect(calls.sign.execute({ id, part_numbers: [1] }, context)).rejects.toMatchObject(refused);
  await expect(kiln.downloadFile.execute({ id: stored.file_id }, context)).rejects.toMatchObject(refused);
});
