// Traces: a collector of this suite receives the spans of all processes of its own system.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pdfOf } from './support/documents.js';
import { answer, startEndpoint, type Endpoint } from './support/endpoints.js';
import { KilnClient } from './support/kiln-client.js';
import { startTraceCollector, type CollectedSpan, type TraceCollector } from './support/trace-collector.js';

/** The spans of the upload of a PDF, up to its webhook. */
const HOPS: Record<string, readonly string[]> = {
  'kiln-gateway': ['POST /v1/upload', 'object store put', 'files.createFile.v1', 'jobs.createJobs.v1'],
  'kiln-files': [
    'files.createFile.v1',
    'SQL files.insert_many',
    'publish file.created',
    'publish file.processing.requested',
    'files.beginRuns.v1',
    'files.finishRuns.v1',
    'SQL made_variants.put',
    'publish variant.ready',
  ],
  'kiln-jobs': ['jobs.createJobs.v1', 'SQL job_batches.insert', 'process file.processing.requested'],
  'kiln-jobs-worker': [
    'run job',
    'object store get',
    'sandbox extract',
    'search.indexFiles.v1',
    'SQL completions.many',
    'publish file.processing.completed',
  ],
  'kiln-search': ['search.indexFiles.v1'],
  'kiln-webhooks': [
    'process file.processing.completed',
    'SQL events.record',
    'deliver file.created',
    'deliver variant.ready',
    'deliver file.processing.completed',
  ],
};
const SECRET_TEXT = 'quokka';

describe('the trace of an upload', () => {
  let collector: TraceCollector;
  let endpoint: Endpoint;
  let system: RunningSystem;
  let client: KilnClient;
  beforeAll(async () => {
    collector = await startTraceCollector();
    endpoint = await startEndpoint(answer(204));
    system = await startSystem({
      environment: {
        KILN_OUTBOUND_ALLOW: '127.0.0.1',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
    const { status } = await client.post('/v1/webhooks', { url: endpoint.url, events: ['*'] });
    expect(status).toBe(201);
  });
  afterAll(async () => {
    await system.stop();
    await endpoint.close();
    await collector.close();
  });

  /** Uploads a PDF as part of a caller's trace. */
  async function upload(): Promise<{ traceId: string; callersSpanId: string }> {
    const [traceId, callersSpanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await pdfOf(`A ${SECRET_TEXT} in a report.`))]), `${SECRET_TEXT}.pdf`);
    const response = await fetch(`${system.baseUrl}/v1/upload`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${system.apiKey}`, traceparent: `00-${traceId}-${callersSpanId}-01` },
      body: form,
    });
    expect({ status: response.status, body: await response.text() }).toMatchObject({ status: 201 });
    return { traceId, callersSpanId };
  }

  function assertConnected(spans: readonly CollectedSpan[], callersSpanId: string): void {
    for (const [service, names] of Object.entries(HOPS)) {
      const found = spans.filter((span) => span.service === service).map(({ name }) => name);
      expect(found).toStrictEqual(expect.arrayContaining([...names]));
    }
    assertOneRoot(spans, callersSpanId);
  }

  function assertOneRoot(spans: readonly CollectedSpan[], callersSpanId: string): void {
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const roots = spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
    expect(roots.map(({ service, name, parentSpanId }) => [service, name, parentSpanId])).toStrictEqual([
      ['kiln-gateway', 'POST /v1/upload', callersSpanId],
    ]);
  }

  it('is continuous, from a traced request through every service to each webhook', async () => {
    const { traceId, callersSpanId } = await upload();
    const spans = () => collector.spans.filter((span) => span.traceId === traceId);
    await eventually(async () => assertConnected(spans(), callersSpanId));
    const types = endpoint.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    const delivered = spans().filter(({ name }) => name.startsWith('deliver '));
    expect(delivered.map(({ name }) => name).toSorted()).toStrictEqual(
      types.map((type) => `deliver ${type}`).toSorted(),
    );
    // Trace context is sent only within Kiln.
    for (const { headers } of endpoint.received) expect(headers['traceparent']).toBeUndefined();
  });

  it('is separate for each upload, even if uploads share calls, statements and transactions', async () => {
    const uploads = await Promise.all(Array.from({ length: 12 }, upload));
    const delivered = Object.values(HOPS).flatMap((names) => names.filter((name) => name.startsWith('deliver ')));
    for (const { traceId, callersSpanId } of uploads) {
      await eventually(async () => {
        const spans = collector.spans.filter((span) => span.traceId === traceId);
        assertOneRoot(spans, callersSpanId);
        expect(spans.map(({ name }) => name)).toStrictEqual(expect.arrayContaining(delivered));
      });
    }
  });

  it('contains neither content nor name nor storage key of the file', async () => {
    const { traceId, callersSpanId } = await upload();
    const spans = () => collector.spans.filter((span) => span.traceId === traceId);
    await eventually(async () => assertConnected(spans(), callersSpanId));
    expect(JSON.stringify(spans())).not.toMatch(new RegExp(`${SECRET_TEXT}|${system.apiKey}`));
  });

  it('is referenced in the log line of its request', async () => {
    const { traceId } = await upload();
    const directory = join(system.dataDir, 'logs');
    await eventually(async () => {
      const log = readdirSync(directory).filter((name) => name.startsWith('gateway'));
      const lines = log.flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'));
      const line = lines.find((each) => each.includes(traceId));
      if (!line) throw new Error('no line');
      const { trace_id, span_id, route } = JSON.parse(line) as Record<string, string>;
      expect([trace_id, route]).toStrictEqual([traceId, '/v1/upload']);
      expect(collector.spans.map(({ spanId }) => spanId)).toContain(span_id);
    });
  });
});
