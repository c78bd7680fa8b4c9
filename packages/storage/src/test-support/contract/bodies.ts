// Objects of any size are stored and read back unchanged.
import { expect } from '@jest/globals';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MEBIBYTE, repeated, type, type Contract } from './peer.js';

/** More than several parts. */
const LARGE_MEBIBYTES = 64;

export function testBodies(contract: Contract): void {
  contract.it('small bodies of every kind come back as they went, with size, tag and type', async () => {
    for (const body of ['tëxt', Buffer.from([0, 1, 2]), Readable.from([Buffer.from('a'), Buffer.from('b')]), '']) {
      const expected = body instanceof Readable ? Buffer.from('ab') : Buffer.from(body);
      const stored = await contract.store.put('small/a b+ü', body, type);
      const { body: read, ...head } = await contract.store.get('small/a b+ü');
      expect(await buffer(read)).toStrictEqual(expected);
      expect(await contract.store.head('small/a b+ü')).toStrictEqual(head);
      const { lastModified, ...rest } = head;
      expect(rest).toStrictEqual({ ...stored, contentType: 'x/y' });
      expect(Math.abs(Date.now() - lastModified.getTime())).toBeLessThan(60_000);
      const [listed] = (await contract.store.list('small/')).objects;
      expect({ sizeBytes: listed?.sizeBytes, etag: listed?.etag }).toStrictEqual(stored);
    }
  });

  contract.it(`${LARGE_MEBIBYTES} MiB of unknown length are stored and read`, async () => {
    const piece = Buffer.alloc(MEBIBYTE, 'x');
    const { sizeBytes } = await contract.store.put('large', Readable.from(repeated(piece, LARGE_MEBIBYTES)), type);
    expect(sizeBytes).toBe(LARGE_MEBIBYTES * MEBIBYTE);
    let readBytes = 0;
    for await (const chunk of (await contract.store.get('large')).body) readBytes += (chunk as Buffer).length;
    expect(readBytes).toBe(sizeBytes);
    expect(await contract.textOf('large', { start: LARGE_MEBIBYTES * MEBIBYTE - 2 })).toBe('xx');
    await contract.store.delete('large');
  });

  contract.it('a reader that stops early releases its connection', async () => {
    const bytes = Buffer.concat(Array.from({ length: 24 }, (_, at) => Buffer.alloc(MEBIBYTE, at)));
    await contract.store.put('given-up', bytes, type);
    for (let times = 0; times < 20; times += 1) {
      const { body } = await contract.store.get('given-up');
      await once(body, 'readable');
      body.destroy();
    }
    expect((await buffer((await contract.store.get('given-up')).body)).equals(bytes)).toBe(true);
  });

  contract.it('ranges read exactly their bytes', async () => {
    await contract.store.put('range', '0123456789', type);
    expect([
      await contract.textOf('range', { start: 2, end: 4 }),
      await contract.textOf('range', { start: 8 }),
    ]).toStrictEqual(['234', '89']);
    const { body, sizeBytes } = await contract.store.get('range', { range: { start: 2, end: 4 } });
    expect((await buffer(body)).length).toBe(sizeBytes);
    await expect(contract.textOf('range', { start: 99 })).rejects.toMatchObject({ code: 'invalid' });
    await expect(contract.textOf('range', { start: 3, end: 2 })).rejects.toMatchObject({ code: 'invalid' });
  });
}
