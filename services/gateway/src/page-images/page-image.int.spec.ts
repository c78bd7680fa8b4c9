// Real: a gateway process, Postgres, NATS, Redis, object store. FAKES: the files service (responders on the real bus, see
// test/fake-services.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, filesOperations, pageImageKey } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { GatewayPair } from '../test/gateway-pair.js';

describe('the image of a page', () => {
  let pair: GatewayPair;
  const fileId = uuidv7();
  const path = `/v1/files/${encodeId('file', fileId)}/pages/1.png`;
  beforeAll(async () => {
    pair = await GatewayPair.start();
  });
  beforeEach(() => pair.fakes.reset());
  afterAll(() => pair.stop());

  /** The image of the page in this version of the file. */
  async function show(version: string): Promise<void> {
    const key = pageImageKey(uuidv7(), fileId, { version, width: 1_200, page: 1 });
    await pair.surroundings.store.put(key, Buffer.from(version), { contentType: 'image/png' });
    pair.fakes.override(filesOperations.getPageImage, () => Promise.resolve({ key }));
  }

  it('may be kept for a minute, is not sent again while it is the same, and is sent when the file has other bytes', async () => {
    await show('first');
    const first = await pair.first.fetch(path);
    expect([first.status, await first.text()]).toStrictEqual([200, 'first']);
    expect(first.headers.get('cache-control')).toBe('private, max-age=60');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const again = await pair.second.fetch(path, { headers });
    expect([again.status, await again.text()]).toStrictEqual([304, '']);
    await show('second');
    const other = await pair.first.fetch(path, { headers });
    expect([other.status, await other.text()]).toStrictEqual([200, 'second']);
  });
});
