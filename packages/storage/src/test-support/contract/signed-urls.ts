// What strangers with a plain HTTP client can do, and cannot.
import { waitUntil } from '@kiln/dev';
import assert from 'node:assert/strict';
import { type, type Contract, type ContractOptions } from './peer.js';

export function testSignedUrls(contract: Contract): void {
  contract.it('signed URLs serve plain HTTP clients for their time and name the file safely', async () => {
    const { url, headers } = await contract.store.signPut('s/free ü', { expiresSeconds: 3600 });
    assert.ok((await putTo(url, 'free', headers)).ok);
    assert.equal(await contract.textOf('s/free ü'), 'free');
    assert.ok((await putTo(url, 'again', headers)).ok, 'the same PUT once more');
    const asked = { filename: 'naïve"\r\n.txt', contentType: 'text/plain' };
    const got = await fetch(await contract.store.signGet('s/free ü', { expiresSeconds: 3600, ...asked }));
    assert.equal(await got.text(), 'again');
    assert.equal(got.headers.get('content-type'), 'text/plain');
    const disposition = `attachment; filename="na_ve_.txt"; filename*=UTF-8''na%C3%AFve%22.txt`;
    assert.equal(got.headers.get('content-disposition'), disposition);
    assert.equal(lifetimeSeconds(url), 3600);
    await assert.rejects(contract.store.signGet('s', { expiresSeconds: 0 }), { code: 'invalid' });
    await assert.rejects(contract.store.signPut('s', { expiresSeconds: 604_801 }), { code: 'invalid' });
  });

  contract.it('a signed URL serves one method on one object, and no other', async () => {
    await contract.store.put('s/one', 'one', type);
    await contract.store.put('s/two', 'two', type);
    const read = await contract.store.signGet('s/one', { expiresSeconds: 60 });
    assert.equal((await fetch(read.replace('s/one', 's/two'))).status, 403);
    assert.equal((await putTo(read, 'x', { 'x-ms-blob-type': 'BlockBlob' })).status, 403);
    assert.equal((await fetch(read, { method: 'DELETE' })).status, 403);
    assert.deepEqual([await contract.textOf('s/one'), await contract.textOf('s/two')], ['one', 'two']);
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
    assert.ok(await waitUntil(isRefused, { deadlineMilliseconds: 10_000, intervalMilliseconds: 200 }));
    assert.ok(!(await putTo(write.url, 'late', write.headers)).ok);
    assert.equal(await contract.textOf('s/brief'), 'brief');
  });

  contract.it(`a signed PUT binds ${bound(contract.binds)}`, async () => {
    const asked = { expiresSeconds: 60, contentType: 'text/csv', sizeBytes: 5 };
    const { url, headers } = await contract.store.signPut('s/bound', asked);
    const wrongType = await putTo(url, 'exact', { ...headers, 'Content-Type': 'text/html' });
    assert.equal(wrongType.ok, !contract.binds.contentType, `another type: ${wrongType.status}`);
    const wrongSize = await putTo(url, 'longer', headers);
    assert.equal(wrongSize.ok, !contract.binds.sizeBytes, `another size: ${wrongSize.status}`);
    assert.ok((await putTo(url, 'exact', headers)).ok);
    assert.equal((await contract.store.head('s/bound'))?.contentType, 'text/csv');
    assert.equal(await contract.textOf('s/bound'), 'exact');
  });

  contract.it('signed URLs carry the public host', async () => {
    const other = contract.peer.open({ publicEndpoint: 'https://files.example' });
    assert.equal(new URL(await other.signGet('k', { expiresSeconds: 60 })).origin, 'https://files.example');
    assert.equal(new URL((await other.signPut('k', { expiresSeconds: 60 })).url).origin, 'https://files.example');
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
