// Real: a gateway process, Postgres, NATS, Redis, object store. FAKES: the files and jobs services (see test/fake-services.ts).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { GatewayWithKeys } from '../test/gateway-with-keys.js';
import { bodyEnd, filePartHead, RawUpload } from '../test/raw-upload.js';
import { formOf, MIB } from '../test/upload-gateway.js';

describe('uploads that are held open', () => {
  let served: GatewayWithKeys;
  let stranger: string;
  beforeAll(async () => {
    served = await GatewayWithKeys.start({ KILN_UPLOAD_MEMORY_BYTES: String(80 * MIB) });
    const { id: organizationId } = await served.organizations.create('Stranger', 'free');
    stranger = `ApiKey ${(await served.newKey({ organizationId })).value}`;
  });
  afterAll(() => served.stop());

  const heldBytes = async () => {
    const text = await (await fetch(`${served.first.healthUrl}/metrics`)).text();
    return Number(/^kiln_upload_memory_bytes\{.*\} (\d+)/m.exec(text)?.[1]);
  };

  /** Sends a mebibyte of a large file, and the rest of it slowly. */
  async function held(headers: Record<string, string> = {}): Promise<RawUpload> {
    const before = await heldBytes();
    const upload = new RawUpload(served.first.url, headers);
    await upload.send(filePartHead('a.bin'));
    await upload.send(Buffer.alloc(MIB));
    upload.keepSending();
    await eventually(async () => expect(await heldBytes()).toBeGreaterThan(before + 8 * MIB));
    return upload;
  }

  const uploadAs = (authorization?: string) =>
    served.first.fetch('/v1/upload', {
      method: 'POST',
      body: formOf({}, Buffer.alloc(10 * MIB)),
      ...(authorization !== undefined && { headers: { authorization } }),
    });

  it('leave room for others: the next large one of their tenant is 503 with Retry-After until one of them ends', async () => {
    const announced = await held({ 'content-length': String(100 * MIB) });
    const chunked = await held();
    const late = new RawUpload(served.first.url);
    await late.send(filePartHead('a.bin'));
    // The refusal may come while the rest is still being sent.
    late.send(Buffer.alloc(MIB)).catch(() => undefined);
    const refused = await late.answerNow();
    expect([refused.status, refused.body['code']]).toStrictEqual([503, 'UNAVAILABLE']);
    expect(refused.body['error']).toMatch(/^Your uploads under way take all the memory/);
    // A test key has no share of its own.
    const ofTest = `ApiKey ${(await served.newKey({ mode: 'test' })).value}`;
    for (const authorization of [undefined, ofTest]) {
      const atOnce = await uploadAs(authorization);
      expect([atOnce.status, atOnce.headers.get('retry-after')]).toStrictEqual([503, '5']);
    }
    expect((await served.first.fetch('/v1/upload', { method: 'POST', body: formOf({}) })).status).toBe(201);
    expect((await uploadAs(stranger)).status).toBe(201);
    expect((await chunked.answer(bodyEnd)).status).toBe(201);
    expect((await uploadAs()).status).toBe(201);
    announced.cutOff();
    await eventually(async () => expect(await heldBytes()).toBe(0));
  });
});
