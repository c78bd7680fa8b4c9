// Real: a gateway process, Postgres, NATS, Redis, the object store. FAKES: the jobs service (a responder on the real bus).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, encodeId, jobsOperations, liveTenantOf } from '@kiln/contracts';
import {
  EXTRACTION_CALLBACK,
  keyOf,
  newSecret,
  providerKeyContext,
  Sealer,
  signatureOf,
  Signer,
  signIds,
} from '@kiln/platform';
import { text } from 'node:stream/consumers';
import { v7 as uuidv7 } from 'uuid';
import { ENCRYPTION_KEY } from '../test/gateway-process.js';
import { ServedGateway } from '../test/served-gateway.js';

const RESULT = JSON.stringify({ pages: [{ markdown: '# Öfen' }], title: null });
const BYTES_MAX = 1_000_000;

describe('the result of an own extractor', () => {
  let gateway: ServedGateway;
  const [tenantId, jobId, extractionId] = [liveTenantOf(uuidv7()), uuidv7(), uuidv7()];
  const id = encodeId('extraction', extractionId);
  const secret = newSecret();
  let resultKey: string;
  beforeAll(async () => {
    gateway = await ServedGateway.start();
  });
  beforeEach(() => {
    gateway.fakes.reset();
    resultKey = `${tenantId}/file/${jobId}/0/${uuidv7()}.json`;
    const sealed = new Sealer(ENCRYPTION_KEY).seal(secret, providerKeyContext(tenantId, 'document_extractor'));
    gateway.fakes.override(jobsOperations.getExtraction, () =>
      Promise.resolve({
        provider: 'document_extractor',
        sealed_secret: sealed.toString('base64'),
        result_key: resultKey,
        result_bytes_max: BYTES_MAX,
      }),
    );
    gateway.fakes.override(jobsOperations.acceptExtraction, () => Promise.resolve({ accepted: true }));
  });
  afterAll(() => gateway.stop());

  const tokenBy = (purpose: string) => signIds(new Signer(ENCRYPTION_KEY, purpose), [tenantId, jobId, extractionId]);
  const now = () => Math.floor(Date.now() / 1_000);
  interface Sent {
    token?: string;
    body?: string;
    signedBody?: string;
    by?: string;
    timestamp?: number;
    headers?: Record<string, string>;
  }
  async function send({ token = tokenBy(EXTRACTION_CALLBACK), body = RESULT, ...sent }: Sent = {}) {
    const { signedBody = body, by = secret, timestamp = now() } = sent;
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf([keyOf(by)], id, timestamp, signedBody),
      ...sent.headers,
    };
    const path = `/v1/extractions/${token}`;
    const response = await fetch(`${gateway.process.url}${path}`, { method: 'POST', headers, body });
    return { status: response.status, body: await gateway.responses.check('POST', path, response) };
  }
  const stored = async () =>
    (await gateway.surroundings.store.head(resultKey)) === null
      ? null
      : text((await gateway.surroundings.store.get(resultKey)).body);
  const accepted = () => gateway.fakes.callsOf(jobsOperations.acceptExtraction);

  it('is stored as it was sent, and then given to its job', async () => {
    expect(await send()).toMatchObject({ status: 200, body: { accepted: true } });
    expect(await stored()).toBe(RESULT);
    const place = { job_id: encodeId('job', jobId), extraction_id: id };
    expect(accepted().map(({ input, context }) => [input, context.tenantId])).toStrictEqual([
      [{ ...place, result_key: resultKey }, tenantId],
    ]);
    expect(gateway.fakes.callsOf(jobsOperations.getExtraction)[0]?.input).toStrictEqual(place);
  });

  it('is refused without the right signature of its body, its id and a recent time, and leaves nothing behind', async () => {
    const wrong: Sent[] = [
      { by: newSecret() },
      { signedBody: `${RESULT} ` },
      { timestamp: now() - 3_600 },
      { timestamp: now() + 3_600 },
      { headers: { 'webhook-timestamp': String(now() - 1) } },
      { headers: { 'webhook-timestamp': 'now' } },
      { headers: { 'webhook-id': encodeId('extraction', uuidv7()) } },
      { headers: { 'webhook-signature': 'v1,' } },
    ];
    for (const sent of wrong) {
      expect(await send(sent)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
      expect(await stored()).toBeNull();
    }
    expect(accepted()).toHaveLength(0);
  });

  it('is refused at a URL that no worker has signed, before any service is asked', async () => {
    for (const token of [tokenBy('content url'), 'x', `${tokenBy(EXTRACTION_CALLBACK)}A`])
      expect(await send({ token })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(gateway.fakes.calls).toHaveLength(0);
  });

  it('must be JSON that is not encoded, and not too long', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }] as Record<
      string,
      string
    >[])
      expect((await send({ headers })).status).toBe(400);
    expect((await send({ body: 'x'.repeat(BYTES_MAX + 1) })).status).toBe(413);
    expect(await stored()).toBeNull();
  });

  it('that no job waits for is refused, and one that comes second is not kept', async () => {
    gateway.fakes.override(jobsOperations.acceptExtraction, () => Promise.resolve({ accepted: false }));
    expect(await send()).toMatchObject({ status: 200, body: { accepted: false } });
    expect(await stored()).toBeNull();
    const gone = () => Promise.reject(new CodedError('NOT_FOUND', 'No job waits for this result.'));
    gateway.fakes.override(jobsOperations.acceptExtraction, gone);
    expect((await send()).status).toBe(404);
    expect(await stored()).toBeNull();
    gateway.fakes.override(jobsOperations.getExtraction, gone);
    expect((await send()).status).toBe(404);
  });

  it('is kept when nobody knows whether the job has it', async () => {
    gateway.fakes.override(jobsOperations.acceptExtraction, () =>
      Promise.reject(new CodedError('UNAVAILABLE', 'Away.')),
    );
    expect((await send()).status).toBe(503);
    expect(await stored()).toBe(RESULT);
  });
});
