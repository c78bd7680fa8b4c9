// What a plain HTTP client can do with a signed URL, and what it cannot.
import { expect } from '@jest/globals';
import { waitUntil } from '@kiln/dev';
import { type, type Contract, type ContractOptions } from './peer.js';

export function testSignedUrls(contract: Contract): void {
  contract.it('signed URLs serve plain HTTP clients for their time and name the file safely', async () => {
    const { url, headers } = await contract.store.signPut('s/free ü', { expiresSeconds: 3600 });
    expect((await putTo(url, 'free', headers)).ok).toBe(true);
    expect(await contract.textOf('s/free ü')).toBe('free');
    // The same PUT once more.
    expect((await putTo(url, 'again', headers)).ok).toBe(true);
    const asked = { filename: 'naïve"\r\n.txt', contentType: 'text/plain' };
    const got = await fetch(await contract.store.signGet('s/free ü', { expiresSeconds: 3600, ...asked }));
    expect(await got.text()).toBe('again');
    expect(got.headers.get('content-type')).toBe('text/plain');
    const disposition = `attachment; filename="na_ve_.txt"; filename*=UTF-8''na%C3%AFve%22.txt`;
    expect(got.headers.get('content-disposition')).toBe(disposition);
    expect(lifetimeSeconds(url)).toBe(3600);
    await expect(contract.store.signGet('s', { expiresSeconds: 0 })).rejects.toMatchObject({ code: 'invalid' });
    await expect(contract.store.signPut('s', { expiresSeconds: 604_801 })).rejects.toMatchObject({ code: 'invalid' });
  });

  contract.it('a signed URL serves one method on one object, and no other', async () => {
    await contract.store.put('s/one', 'one', type);
    await contract.store.put('s/two', 'two', type);
    const read = await contract.store.signGet('s/one', { expiresSeconds: 60 });
    expect((await fetch(read.replace('s/one', 's/two'))).status).toBe(403);
    expect((await putTo(read, 'x', { 'x-ms-blob-type': 'BlockBlob' })).status).toBe(403);
    expect((await fetch(read, { method: 'DELETE' })).status).toBe(403);
    expect([await contract.textOf('s/one'), await contract.textOf('s/two')]).toStrictEqual(['one', 'two']);
  });

  contract.it('a signed URL is refused once its time is over', async () => {
    await contract.store.put('s/brief', 'brief', type);
    const write = await contract.store.signPut('s/brief', { expiresSeconds: 1 });
    const read = await contract.store.signGet('s/brief', { expiresSeconds: 1 });
    const isRefused = async (): Promise<boolean> => {
      const answer = await fetch(read);
      await answer.arrayBuffer();
      return !answer.ok;
    };
    expect(await waitUntil(isRefused, { deadlineMilliseconds: 60_000, intervalMilliseconds: 200 })).toBe(true);
    expect((await putTo(write.url, 'late', write.headers)).ok).toBe(false);
    expect(await contract.textOf('s/brief')).toBe('brief');
  });

  contract.it(`a signed PUT binds ${bound(contract.binds)}`, async () => {
    const asked = { expiresSeconds: 60, contentType: 'text/csv', sizeBytes: 5 };
    const { url, headers } = await contract.store.signPut('s/bound', asked);
    const wrongType = await putTo(url, 'exact', { ...headers, 'Content-Type': 'text/html' });
    expect(wrongType.ok).toBe(!contract.binds.contentType);
    const wrongSize = await putTo(url, 'longer', headers);
    expect(wrongSize.ok).toBe(!contract.binds.sizeBytes);
    expect((await putTo(url, 'exact', headers)).ok).toBe(true);
    expect((await contract.store.head('s/bound'))?.contentType).toBe('text/csv');
    expect(await contract.textOf('s/bound')).toBe('exact');
  });

  contract.it(`a signed GET binds ${contract.binds.version ? 'the version' : 'no version'}`, async () => {
    const { etag } = await contract.store.put('s/version', 'first', type);
    const url = await contract.store.signGet('s/version', { expiresSeconds: 60, etag });
    expect(await (await fetch(url)).text()).toBe('first');
    await contract.store.put('s/version', 'second', type);
    const replaced = await fetch(url);
    expect(replaced.ok).toBe(!contract.binds.version);
    expect((await replaced.text()).includes('second')).toBe(!contract.binds.version);
  });

  contract.it('signed URLs carry the public host', async () => {
    const other = contract.peer.open({ publicEndpoint: 'https://files.example' });
    expect(new URL(await other.signGet('k', { expiresSeconds: 60 })).origin).toBe('https://files.example');
    expect(new URL((await other.signPut('k', { expiresSeconds: 60 })).url).origin).toBe('https://files.example');
    other.close();
  });
}

const putTo = (url: string, body: string, headers: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'PUT', body: Buffer.from(body), headers });

const bound = ({ contentType, sizeBytes }: ContractOptions['binds']): string =>
  [contentType && 'the type', sizeBytes && 'the size'].filter(Boolean).join(' and ') || 'nothing';

/** From S3's and Google's count of seconds, or Azure's moment. */
function lifetimeSeconds(url: string): number {
  const { searchParams } = new URL(url);
  const counted = searchParams.get('X-Amz-Expires') ?? searchParams.get('X-Goog-Expires');
  if (counted !== null) return Number(counted);
  const leftMs = Date.parse(searchParams.get('se') ?? '') - Date.now();
  return Math.ceil(leftMs / 60_000) * 60; // the moment was some seconds ago
}
