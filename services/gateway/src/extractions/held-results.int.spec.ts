// Real: a gateway process, Postgres, NATS, Redis, object store. FAKES: the jobs service (a responder on the real bus).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, jobsOperations, liveTenantOf } from '@kiln/contracts';
import { EXTRACTION_CALLBACK, newSecret, providerKeyContext, Sealer, Signer, signIds } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { v7 as uuidv7 } from 'uuid';
import { startFakes, type FakeServices } from '../test/fake-services.js';
import { ENCRYPTION_KEY, GatewayProcess, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';
import { keepSending } from '../test/raw-upload.js';
import { formOf, MIB } from '../test/upload-gateway.js';

describe('results of own extractors that are held open', () => {
  let surroundings: TestSurroundings;
  let fakes: FakeServices;
  let gateway: GatewayProcess;
  const [tenantId, jobId, extractionId] = [liveTenantOf(uuidv7()), uuidv7(), uuidv7()];
  beforeAll(async () => {
    surroundings = await testSurroundings();
    fakes = await startFakes(surroundings);
    gateway = await GatewayProcess.start(surroundings, { KILN_UPLOAD_MEMORY_BYTES: String(80 * MIB) });
  });
  beforeEach(() => {
    fakes.reset();
    const sealed = new Sealer(ENCRYPTION_KEY).seal(newSecret(), providerKeyContext(tenantId, 'document_extractor'));
    fakes.override(jobsOperations.getExtraction, () =>
      Promise.resolve({
        provider: 'document_extractor',
        sealed_secret: sealed.toString('base64'),
        result_key: `${tenantId}/file/${jobId}/0/${uuidv7()}.json`,
        result_bytes_max: 100 * MIB,
      }),
    );
  });
  afterAll(async () => {
    await gateway.stop();
    await fakes.stop();
    await surroundings.store.deletePrefix(`${tenantId}/`);
    await surroundings.close();
  });

  const heldBytes = async () => {
    const text = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
    return Number(/^kiln_upload_memory_bytes\{.*\} (\d+)/m.exec(text)?.[1]);
  };

  /** Sends a mebibyte of a result, without a signature, and then the rest slowly. */
  function begin(headers: Record<string, string> = {}): ClientRequest {
    const token = signIds(new Signer(ENCRYPTION_KEY, EXTRACTION_CALLBACK), [tenantId, jobId, extractionId]);
    const sent = request(`${gateway.url}/v1/extractions/${token}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': encodeId('extraction', extractionId),
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': 'v1,',
        ...headers,
      },
    });
    sent.on('error', () => undefined);
    sent.write(Buffer.alloc(MIB, ' '));
    keepSending(sent);
    return sent;
  }

  it('have the share of their organization: the next one is 503, and others can upload', async () => {
    const held = [begin(), begin()];
    await eventually(async () => expect(await heldBytes()).toBeGreaterThan(2 * 16 * MIB));
    const third = begin({ 'content-length': String(50 * MIB) });
    const [refused] = (await once(third, 'response')) as [IncomingMessage];
    expect([refused.statusCode, refused.headers['retry-after']]).toStrictEqual([503, '5']);
    expect(await json(refused)).toMatchObject({ code: 'UNAVAILABLE', error: expect.stringMatching(/^Your uploads/) });
    const form = formOf({}, Buffer.alloc(10 * MIB));
    expect((await gateway.fetch('/v1/upload', { method: 'POST', body: form })).status).toBe(201);
    for (const each of [...held, third]) each.destroy();
    await eventually(async () => expect(await heldBytes()).toBe(0));
  });
});
