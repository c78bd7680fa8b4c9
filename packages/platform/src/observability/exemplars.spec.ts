/** @own-modules */
// Real: OpenTelemetry's SDK. Faked: nothing. Once on, tracing stays on in this process.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { context, trace, type SpanContext } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { HealthServer } from './health-server.js';
import { Metrics } from './metrics.js';
import { enableTracing, withSpan } from './tracing.js';

const ACCEPTED_BY_PROMETHEUS = 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.4';

const spanOf = (digit: string, traceFlags = 1): SpanContext => ({
  traceId: digit.repeat(32),
  spanId: digit.repeat(16),
  traceFlags,
});

describe('/metrics', () => {
  const metrics = new Metrics('gateway', 'api');
  const server = new HealthServer({ host: '127.0.0.1', port: 0, metrics });
  const waits = metrics.histogram('kiln_wait_seconds', { help: 'Waits', buckets: [0.1, 1] });
  let url = '';
  const read = async (accept: string) => {
    const response = await fetch(url, { headers: { accept } });
    return { type: response.headers.get('content-type'), text: await response.text() };
  };
  const record = (span: SpanContext, value: number, kind: string) =>
    withSpan(trace.wrapSpanContext(span), () => waits.record(value, { kind }));
  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    url = `http://127.0.0.1:${await server.listen()}/metrics`;
  });
  afterAll(async () => {
    context.disable();
    await server.close();
  });

  it('is in the text format of Prometheus while tracing is off, also for a scraper that reads OpenMetrics', async () => {
    const { type, text } = await read(ACCEPTED_BY_PROMETHEUS);
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toMatch(/^# TYPE kiln_outbox_set_aside_total counter$/m);
  });

  it('is in OpenMetrics while tracing is on, with the last sampled observation of each bucket as its exemplar', async () => {
    enableTracing();
    waits.record(0.07, { kind: 'x' });
    record(spanOf('a'), 0.05, 'x');
    record(spanOf('b'), 0.06, 'x');
    record(spanOf('c', 0), 0.5, 'x');
    record(spanOf('d'), 7, 'y');
    const { type, text } = await read(ACCEPTED_BY_PROMETHEUS);
    expect(type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(text).toMatch(/^# TYPE kiln_outbox_set_aside counter$/m);
    expect(text).toMatch(/^kiln_outbox_set_aside_total\{service="gateway",role="api"\} 0$/m);
    expect(text).toMatch(/[^\n]\n# EOF\n$/);
    expect(text).not.toMatch(/\n\n|# UNIT /);
    const lines = text.split('\n').filter((line) => line.startsWith('kiln_wait_seconds_bucket'));
    const shown = lines.map((line) => line.replace(/^.*,(kind=.*)/, '$1').replace(/ \d{10,}\.\d{3}$/, ' NOW'));
    expect(shown).toStrictEqual([
      `kind="x",le="0.1"} 3 # {trace_id="${'b'.repeat(32)}",span_id="${'b'.repeat(16)}"} 0.06 NOW`,
      'kind="x",le="1"} 4',
      'kind="x",le="+Inf"} 4',
      'kind="y",le="0.1"} 0',
      'kind="y",le="1"} 0',
      `kind="y",le="+Inf"} 1 # {trace_id="${'d'.repeat(32)}",span_id="${'d'.repeat(16)}"} 7 NOW`,
    ]);
  });

  it('stays in the text format of Prometheus for all others', async () => {
    expect((await read('text/plain')).text).not.toMatch(/ # \{|# EOF/);
  });
});
