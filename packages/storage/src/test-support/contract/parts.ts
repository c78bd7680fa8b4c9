// Uploads in parts, which plain HTTP clients send to signed URLs.
import { expect } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import type { ObjectStore } from '../../index.js';
import { MEBIBYTE, type Contract } from './peer.js';

const PART_BYTES = 5 * MEBIBYTE;

export function testParts(contract: Contract): void {
  testWholeUploads(contract);
  testEndedUploads(contract);
}

function testWholeUploads(contract: Contract): void {
  contract.it('parts in any order, one of them sent twice, become the whole object, and nothing before', async () => {
    const { store } = contract;
    const key = `parts/whole ü/${randomUUID()}`;
    const bytes = randomBytes(2 * PART_BYTES + 7);
    const uploadId = await store.beginParts(key);
    await send(store, { key, uploadId }, 3, bytes.subarray(2 * PART_BYTES));
    const first = bytes.subarray(0, PART_BYTES);
    await send(store, { key, uploadId }, 1, contract.datesPartsInSeconds ? first : randomBytes(PART_BYTES));
    await send(store, { key, uploadId }, 2, bytes.subarray(PART_BYTES, 2 * PART_BYTES));
    await send(store, { key, uploadId }, 1, first);
    expect(await store.head(key)).toBeNull();
    const { parts, hasMore } = await store.listParts(key, uploadId);
    expect(parts.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes])).toStrictEqual([
      [1, PART_BYTES],
      [2, PART_BYTES],
      [3, 7],
    ]);
    expect(hasMore).toBe(false);
    await store.completeParts(key, uploadId, parts);
    expect((await store.head(key))?.sizeBytes).toBe(bytes.length);
    expect(await contract.textOf(key)).toBe(bytes.toString());
  });

  contract.it('parts are listed in pages, in the order of their numbers', async () => {
    const { store } = contract;
    const key = `parts/pages/${randomUUID()}`;
    const uploadId = await store.beginParts(key);
    expect(await store.listParts(key, uploadId)).toStrictEqual({ parts: [], hasMore: false });
    for (const number of [12, 2, 7]) await send(store, { key, uploadId }, number, Buffer.from('x'));
    const first = await store.listParts(key, uploadId, { limit: 2 });
    expect([first.parts.map(({ partNumber }) => partNumber), first.hasMore]).toStrictEqual([[2, 7], true]);
    const second = await store.listParts(key, uploadId, { limit: 2, after: 7 });
    expect([second.parts.map(({ partNumber }) => partNumber), second.hasMore]).toStrictEqual([[12], false]);
    await store.abortParts(key, uploadId);
  });
}

function testEndedUploads(contract: Contract): void {
  contract.it('an aborted upload keeps no part, and leaves a complete object alone', async () => {
    const { store } = contract;
    const key = `parts/aborted/${randomUUID()}`;
    const uploadId = await store.beginParts(key);
    await send(store, { key, uploadId }, 1, Buffer.from('part'));
    await store.abortParts(key, uploadId);
    const left = await store.listParts(key, uploadId).catch(isMissing);
    expect(left?.parts ?? []).toStrictEqual([]);
    expect(await store.head(key)).toBeNull();
    await store.put(key, 'whole', { contentType: 'x/y' });
    await store.abortParts(key, uploadId);
    expect(await contract.textOf(key)).toBe('whole');
  });

  contract.it('aborting an upload without parts leaves the parts of a second upload of the key alone', async () => {
    const { store } = contract;
    const key = `parts/two/${randomUUID()}`;
    const [uploadId, second] = [await store.beginParts(key), await store.beginParts(key)];
    await send(store, { key, uploadId }, 1, Buffer.from('part'));
    await store.abortParts(key, second);
    const { parts } = await store.listParts(key, uploadId);
    expect(parts.map(({ partNumber }) => partNumber)).toStrictEqual([1]);
    await store.completeParts(key, uploadId, parts);
    expect(await contract.textOf(key)).toBe('part');
  });

  contract.it('a part that is missing or was replaced makes no object', async () => {
    const { store } = contract;
    const key = `parts/missing/${randomUUID()}`;
    const uploadId = await store.beginParts(key);
    await send(store, { key, uploadId }, 1, Buffer.from('part'));
    const { parts } = await store.listParts(key, uploadId);
    const [part = { partNumber: 1, sizeBytes: 4, etag: null }] = parts;
    const missing = { ...part, partNumber: 2 };
    await expect(store.completeParts(key, uploadId, [missing])).rejects.toMatchObject({ name: 'StorageError' });
    expect(await store.head(key)).toBeNull();
    await store.abortParts(key, uploadId);
  });

  contract.it('the URL of a part serves no other part, object or method', async () => {
    const { store, binds } = contract;
    const key = `parts/bound/${randomUUID()}`;
    const uploadId = await store.beginParts(key);
    const { url, headers } = await store.signPart(key, { uploadId, partNumber: 1, sizeBytes: 4, expiresSeconds: 60 });
    const asked = async (to: string, body = 'part') =>
      (await fetch(to, { method: 'PUT', headers, body: Buffer.from(body) })).status;
    expect(await asked(url.replace('parts/bound', 'parts/other'))).toBe(403);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
    if (binds.part) expect(await asked(url.replace('partNumber=1', 'partNumber=2'))).toBe(403);
    if (binds.partBytes) expect(await asked(url, 'longer')).toBe(403);
    expect(await asked(url)).toBeLessThan(300);
    await store.abortParts(key, uploadId);
  });
}

async function send(
  store: ObjectStore,
  { key, uploadId }: { key: string; uploadId: string },
  partNumber: number,
  body: Buffer,
): Promise<void> {
  const { url, headers } = await store.signPart(key, {
    uploadId,
    partNumber,
    sizeBytes: body.length,
    expiresSeconds: 3_600,
  });
  const response = await fetch(url, { method: 'PUT', headers, body: Buffer.from(body) });
  expect([response.ok, await response.text()]).toStrictEqual([true, '']);
}

/** What a store answers for an upload that has ended. */
function isMissing(error: unknown): null {
  expect(error).toMatchObject({ code: 'not_found' });
  return null;
}
