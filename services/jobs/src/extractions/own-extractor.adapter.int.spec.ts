// Real: Postgres, NATS, the object store, HTTP to an extractor on loopback, and the example of the documentation as a process of its own.
// Faked: the files and search services (see test/run-harness.ts), and the gateway: results are stored and taken as it does.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  encodeId,
  extractionRequestSchema,
  extractionResultSchema,
  sourceKey,
  uuidOf,
  type CallContext,
  type ExtractionRequest,
} from '@kiln/contracts';
import { createSandbox } from '@kiln/extraction';
import { beginSignature, EXTRACTION_CALLBACK, isSigned, keyOf, newSecret, openIds, Signer } from '@kiln/platform';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { SealedProviderKeys } from '../organization/provider-keys/sealed-provider-keys.service.js';
import { leaseOf, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { ENCRYPTION_KEY, startRuns, type RunHarness } from '../test/run-harness.js';
import { EndRun } from '../worker/end-run.usecase.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import { ExtractionAwaited } from './asked-extraction.domain.js';
import { ExtractionStore } from './extraction.store.js';
import { TakeResult } from './take-result.usecase.js';

const PUBLIC_URL = 'https://kiln.example/base';
const BYTES = '# Kilns\fA second page.';
const RESULT = {
  pages: [{ markdown: '# Kilns' }, { markdown: 'Hot <b>clay</b>.' }],
  title: 'Of kilns',
  author: 'A. Potter',
};
const EXAMPLE = fileURLToPath(new URL('../../../../docs/examples/extractor.mjs', import.meta.url));
const later = misbehaviour.status(202, {}, '');

describe("an organization's own extractor", () => {
  const secret = newSecret();
  let kiln: JobsHarness;
  let extractor: ProviderServer;
  let runs: RunHarness;
  let extractions: ExtractionStore;
  let results: TakeResult;
  let woken: string[] = [];
  const sandbox = createSandbox({ processes: 1, isolation: 'preferred' });
  beforeAll(async () => {
    [kiln, extractor] = await Promise.all([startJobs(), startProviderServer()]);
    runs = await open();
    extractions = new ExtractionStore(kiln.database);
    const keys = { find: () => Promise.resolve({ sealed: Buffer.from('sealed'), url: extractor.url }) };
    const wakeUp = { sendShared: (name: string) => void woken.push(name) };
    results = new TakeResult(extractions, keys as unknown as SealedProviderKeys, wakeUp as never);
  });
  afterEach(async () => {
    extractor.reset();
    woken = [];
    await kiln.clear();
  });
  afterAll(async () => {
    await runs.close();
    await Promise.all([extractor.close(), kiln.close(), sandbox.close()]);
  });

  async function open(environment: Record<string, string> = {}, url = `${extractor.url}/read?for=kiln`) {
    const opened = await startRuns(kiln, {
      sandbox,
      environment: { KILN_CALLBACK_URL: PUBLIC_URL, ...environment },
      policy: { extractorOf: () => Promise.resolve({ url, secret }) },
    });
    opened.arrived.contentType = 'application/pdf';
    return opened;
  }
  async function added(): Promise<ClaimedJob> {
    await kiln.add(uuidv7(), { processing: { variants: ['markdown', 'metadata'] } });
    const { job } = await kiln.claimed();
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), BYTES, { contentType: 'application/pdf' });
    return job;
  }
  const requests = () => extractor.requests.map(({ json }) => extractionRequestSchema.parse(json));
  const idOf = (request: ExtractionRequest | undefined) => uuidOf('extraction', request?.id ?? '');
  const awaited = (job: ClaimedJob, by = runs) => expect(by.run(job)).rejects.toBeInstanceOf(ExtractionAwaited);
  /** As a worker does. */
  const release = (job: ClaimedJob, thrown = new ExtractionAwaited(600)) =>
    new EndRun(kiln.database, kiln.leases, 0, silentLogger).fail({ job, lease: leaseOf(job) }, thrown);
  const contextOf = (job: ClaimedJob) => ({ tenantId: job.tenant_id }) as CallContext;
  const placeOf = (job: ClaimedJob, request = requests().at(-1)) => ({
    job_id: encodeId('job', job.id),
    extraction_id: request?.id ?? '',
  });
  /** As the gateway does with a result whose signature is right. */
  async function arrive(job: ClaimedJob, result: unknown = RESULT, request = requests().at(-1)): Promise<boolean> {
    const place = placeOf(job, request);
    const { result_key } = await results.get(place, contextOf(job));
    await runs.objects.put(result_key, JSON.stringify(result), { contentType: 'application/json' });
    return (await results.accept({ ...place, result_key }, contextOf(job))).accepted;
  }
  const markdown = () => runs.contentOf('markdown');

  it('is asked by a signed request, with a URL to the bytes, and may answer at once', async () => {
    extractor.next(misbehaviour.json(RESULT));
    const job = await added();
    await runs.run(job);
    expect(await markdown()).toBe('# Kilns\n\nHot \\<b>clay\\</b>.\n');
    const metadata = JSON.parse(await runs.contentOf('metadata')) as unknown;
    expect(metadata).toMatchObject({ title: 'Of kilns', author: 'A. Potter', page_count: 2 });
    const [asked] = extractor.requests;
    const [request] = requests();
    expect(asked?.path).toBe('/read?for=kiln');
    const headers = asked?.headers ?? {};
    const digest = beginSignature(keyOf(secret), request?.id ?? '', Number(headers['webhook-timestamp']))
      .update(asked?.body ?? '')
      .digest();
    expect(headers['webhook-id']).toBe(request?.id);
    expect(isSigned(String(headers['webhook-signature']), digest)).toBe(true);
    expect(await (await fetch(request?.file.url ?? '')).text()).toBe(BYTES);
    expect(request?.file).toMatchObject({ filename: 'report.md', content_type: 'application/pdf' });
    const token = request?.callback_url?.slice(`${PUBLIC_URL}/v1/extractions/`.length) ?? '';
    expect(openIds(new Signer(ENCRYPTION_KEY, EXTRACTION_CALLBACK), token, 3)).toStrictEqual([
      job.tenant_id,
      job.id,
      idOf(request),
    ]);
    const [{ usage } = {}] = await kiln.sql<{ usage: unknown }>('select usage from jobs');
    expect(usage).toMatchObject({ extraction: { key: 'organization', page_count: 2 } });
  });

  it('may answer later: its job leaves the worker, is due with the result, and is not sent again', async () => {
    extractor.next(later);
    const job = await added();
    await awaited(job);
    await release(job);
    expect(await kiln.claimNext()).toBeNull();
    expect(await arrive(job)).toBe(true);
    expect(woken).toStrictEqual(['jobs.sandbox']);
    const next = await kiln.claimed();
    expect(await runs.run(next.job)).toStrictEqual(['markdown', 'metadata']);
    expect(await markdown()).toMatch(/Hot/);
    expect(extractor.requests).toHaveLength(1);
    // Waiting is no failure.
    expect(next.job).toMatchObject({ failures: 0, attempts: 2, attempts_before_retry: 1 });
  });

  describe('whose result is large', () => {
    const MIB = 1_048_576;
    const padding = 'x'.repeat(5 * MIB);
    /** In JSON each quotation mark takes two bytes. */
    const LINE = `${'"'.repeat(127)}\n`;

    it('has it parsed in the sandbox, with the same outcome as a small one', async () => {
      extractor.next(misbehaviour.json({ ...RESULT, padding }));
      const job = await added();
      const before = runs.extractions();
      await runs.run(job);
      expect(runs.extractions() - before).toBe(1);
      expect(await markdown()).toBe('# Kilns\n\nHot \\<b>clay\\</b>.\n');
      const metadata = JSON.parse(await runs.contentOf('metadata')) as unknown;
      expect(metadata).toMatchObject({ title: 'Of kilns', author: 'A. Potter', page_count: 2 });
    });

    it('may send 127 MiB later', async () => {
      extractor.next(later);
      const job = await added();
      await awaited(job);
      await release(job);
      const text = LINE.repeat((63 * MIB) / LINE.length);
      expect(await arrive(job, { markdown: text })).toBe(true);
      await runs.run((await kiln.claimed()).job);
      expect((await markdown()).length).toBe(63 * MIB);
    });

    it('is at fault where that cannot be used, and is asked anew', async () => {
      extractor.next(misbehaviour.text(`{"markdown": "${padding}`));
      const job = await added();
      const message: unknown = expect.stringMatching(/cannot be used: it is not JSON/);
      await expect(runs.run(job)).rejects.toMatchObject({ fault: 'malformed', message });
      expect(await extractions.find(leaseOf(job))).toBeNull();
    });
  });

  it('may answer before the run that asked has ended: its job is due at once', async () => {
    extractor.next(later);
    const job = await added();
    await awaited(job);
    expect(await arrive(job)).toBe(true);
    await release(job);
    const next = await kiln.claimed();
    await runs.run(next.job);
    expect(extractor.requests).toHaveLength(1);
  });

  it('is not asked again by a run that takes over from a lost worker once it has accepted, else under the same id', async () => {
    extractor.next(misbehaviour.status(500), later);
    const first = await added();
    await expect(runs.run(first)).rejects.toMatchObject({ fault: 'server_error' });
    const takeOver = async (job: ClaimedJob) => {
      await kiln.leases.release(leaseOf(job), { error: null, counted: false, delaySeconds: 0 });
      return (await kiln.claimed()).job;
    };
    const second = await takeOver(first);
    await awaited(second);
    const third = await takeOver(second);
    await awaited(third);
    const [one, two, ...more] = requests();
    expect([two?.id, more]).toStrictEqual([one?.id, []]);
    // The run of the lost worker changes nothing any more.
    expect(await extractions.put(leaseOf(first), null)).toBe(false);
    expect(await arrive(third)).toBe(true);
    await runs.run(third);
    expect(await markdown()).toMatch(/Hot/);
  });

  it('counts its first result only, and none of another extraction, another tenant or an ended job', async () => {
    extractor.next(later);
    const job = await added();
    await awaited(job);
    const place = placeOf(job);
    const { result_key } = await results.get(place, contextOf(job));
    const accept = (key: string, by = contextOf(job), at = place) => results.accept({ ...at, result_key: key }, by);
    const strange = { ...place, extraction_id: encodeId('extraction', uuidv7()) };
    await expect(accept(result_key, contextOf(job), strange)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(accept(result_key, { tenantId: uuidv7() } as CallContext)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(accept('elsewhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await accept(result_key)).toStrictEqual({ accepted: true });
    // The answer to a first call may have been lost.
    expect(await accept(result_key)).toStrictEqual({ accepted: true });
    expect(await accept(`${result_key}2`)).toStrictEqual({ accepted: false });
    await kiln.sql(`update jobs set status = 'cancelled', worker_id = null, lease_expires_at = null`);
    await expect(accept(result_key)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(results.get(place, contextOf(job))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that misses its deadline fails the run, is asked anew under another id, and can no longer answer the first request', async () => {
    extractor.next(later, misbehaviour.json(RESULT));
    const job = await added();
    await awaited(job);
    await kiln.sql(`update jobs set extraction = extraction || '{"deadline_at": "2026-01-01T00:00:00.000Z"}'`);
    await expect(arrive(job)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(runs.run(job)).rejects.toMatchObject({ code: 'timeout', transient: true });
    await runs.run(job);
    const [one, two] = requests();
    expect(two?.id).not.toBe(one?.id);
  });

  it('reports why a file cannot be read, and a result of no use is asked for anew', async () => {
    const fault = { error: { code: 'encrypted_file', message: 'It needs a password.' } };
    extractor.next(misbehaviour.json(fault), misbehaviour.json({ markdown: 1 }), misbehaviour.text('<html>'), later);
    const job = await added();
    await expect(runs.run(job)).rejects.toMatchObject({
      code: 'encrypted_file',
      message: expect.stringMatching(/password/),
    });
    await expect(runs.run(job)).rejects.toMatchObject({
      fault: 'malformed',
      message: expect.stringMatching(/markdown/),
    });
    await expect(runs.run(job)).rejects.toMatchObject({ fault: 'malformed', message: expect.stringMatching(/JSON/) });
    await awaited(job);
    expect(new Set(requests().map(({ id }) => id)).size).toBe(4);
    await arrive(job, { pages: [], markdown: 'both' });
    await expect(runs.run(job)).rejects.toMatchObject({ fault: 'malformed' });
    expect(await extractions.find(leaseOf(job))).toBeNull();
  });

  it('is never reached at a private address, and cannot answer later without a public address of Kiln', async () => {
    const inside = await open({}, 'https://10.0.0.1/read');
    const alone = await open({ KILN_CALLBACK_URL: '' });
    try {
      const refused = { fault: 'unreachable', message: expect.stringMatching(/private/) };
      await expect(inside.run(await added())).rejects.toMatchObject(refused);
      await kiln.clear();
      extractor.next(later);
      await expect(alone.run(await added())).rejects.toMatchObject({
        fault: 'malformed',
        message: expect.stringMatching(/202/),
      });
      expect(requests()[0]?.callback_url).toBeNull();
    } finally {
      await Promise.all([inside.close(), alone.close()]);
    }
  });

  it('can be the example of the documentation, whose result is signed and valid', async () => {
    const env = { EXTRACTOR_SECRET: secret, PORT: '0' };
    const example = spawn(process.execPath, [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [line = ''] = (await Promise.race([once(example.stdout, 'data'), once(example, 'exit')])) as [Buffer?];
      const url = `http://127.0.0.1:${/\d+/.exec(line.toString())?.[0]}`;
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
      // The server of this suite is the gateway that is called back.
      const answered = new Promise<void>((resolve) =>
        extractor.next((response) => {
          response.writeHead(200).end('{"accepted":true}');
          resolve();
        }),
      );
      const example202 = await open({ KILN_CALLBACK_URL: extractor.url }, url);
      const job = await added();
      await awaited(job, example202);
      await answered;
      await example202.close();
      const [called] = extractor.requests;
      const {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures,
      } = called?.headers ?? {};
      const digest = beginSignature(keyOf(secret), String(id), Number(timestamp))
        .update(called?.body ?? '')
        .digest();
      expect(isSigned(String(signatures), digest)).toBe(true);
      expect(extractionResultSchema.parse(called?.json)).toStrictEqual({
        pages: [{ markdown: '# Kilns' }, { markdown: 'A second page.' }],
        title: 'report.md',
      });
      expect(called?.path).toMatch(/^\/v1\/extractions\/[\w-]+$/);
    } finally {
      example.kill();
      await once(example, 'exit');
    }
  });
});
