import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyEnd, fieldPart, filePartHead, RawUpload } from '../test/raw-upload.js';
import { formOf, MIB, UploadGateway } from '../test/upload-gateway.js';

describe('an upload', () => {
  let gateway: UploadGateway;
  beforeAll(async () => {
    gateway = await UploadGateway.start();
  });
  afterAll(() => gateway.stop());

  it('of 200 MB takes constant memory: the process grows by less than 100 MB', async () => {
    await gateway.upload(formOf({}, Buffer.alloc(20 * MIB))); // Everything that is loaded once is loaded.
    const rssBytes = async () => {
      const metrics = await (await fetch(`${gateway.process.healthUrl}/metrics`)).text();
      return Number(/^process_resident_memory_bytes\{.*\} (\d+)/m.exec(metrics)?.[1]);
    };
    const before = await rssBytes();
    let highest = before;
    const raw = new RawUpload(gateway.url);
    await raw.send(fieldPart('space', 'large') + filePartHead('large.bin'));
    const piece = Buffer.alloc(MIB, 7);
    for (let sent = 0; sent < 200; sent++) {
      await raw.send(piece);
      if (sent % 10 === 9) highest = Math.max(highest, await rssBytes());
    }
    await raw.send(bodyEnd);
    const { status, body } = await raw.answer();
    expect([status, body['size_bytes']]).toStrictEqual([201, 200 * MIB]);
    expect(highest - before).toBeLessThan(100 * MIB);
  });
});
