import { describe, expect, it } from '@jest/globals';
import { Metrics, type Sample } from './metrics.js';

describe('/metrics', () => {
  it('shows each series with the labels service and role', async () => {
    const metrics = new Metrics('files', 'api');
    metrics.counter('kiln_things_total', 'Things', ['kind']).add(2, { kind: 'a"b\n' });
    metrics.gauge('kiln_places', 'Places', () => 0.5);
    const text = await metrics.text();
    expect(text).toMatch(/^# HELP kiln_things_total Things$/m);
    expect(text).toMatch(/^# TYPE kiln_things_total counter$/m);
    expect(text).toMatch(/^kiln_things_total\{service="files",role="api",kind="a\\"b\\n"\} 2$/m);
    expect(text).toMatch(/^# TYPE kiln_places gauge$/m);
    expect(text).toMatch(/^kiln_places\{service="files",role="api"\} 0\.5$/m);
  });

  it('shows 0 for a counter without labels that has counted nothing', async () => {
    const metrics = new Metrics('files', 'api');
    expect(await metrics.text()).toMatch(/^kiln_outbox_set_aside_total\{service="files",role="api"\} 0$/m);
  });

  it('prefers a label of the series to the same label of the process', async () => {
    const metrics = new Metrics('gateway', 'api');
    metrics.counter('kiln_calls_total', 'Calls', ['service']).add(1, { service: 'files' });
    expect(await metrics.text()).toMatch(/^kiln_calls_total\{service="files",role="api"\} 1$/m);
  });

  it('shows a histogram with the given buckets', async () => {
    const metrics = new Metrics('files', 'api');
    metrics.histogram('kiln_wait_seconds', { help: 'Waits', buckets: [0.1, 1] }).record(0.5, { kind: 'x' });
    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('kiln_wait_seconds'));
    const labels = 'service="files",role="api",kind="x"';
    expect(lines).toStrictEqual([
      `kiln_wait_seconds_count{${labels}} 1`,
      `kiln_wait_seconds_sum{${labels}} 0.5`,
      `kiln_wait_seconds_bucket{${labels},le="0.1"} 0`,
      `kiln_wait_seconds_bucket{${labels},le="1"} 1`,
      `kiln_wait_seconds_bucket{${labels},le="+Inf"} 1`,
    ]);
  });

  it('stops showing a sampled series that no longer exists, and a sampled counter without a value', async () => {
    const metrics = new Metrics('jobs', 'api');
    let samples: Sample<'kind'>[] = ['a', 'b'].map((kind) => ({ labels: { kind }, value: 3 }));
    const sampled = { help: 'Sampled', labelNames: ['kind' as const], read: async () => samples };
    metrics.sampledGauge('kiln_now', sampled);
    metrics.sampledCounter('kiln_ever_total', sampled);
    const shown = async () => (await metrics.text()).match(/^kiln_(now|ever_total)\{.*kind="."\} \d+/gm) ?? [];
    expect((await shown()).length).toBe(4);
    samples = samples.slice(0, 1);
    expect((await shown()).filter((line) => line.startsWith('kiln_now'))).toHaveLength(1);
    samples = [];
    expect(await shown()).toStrictEqual([]);
    samples = [{ labels: { kind: 'a' }, value: 5 }];
    expect(await shown()).toContainEqual(expect.stringMatching(/^kiln_ever_total\{.*kind="a"\} 5$/));
  });

  it('reports the resource use of the process, and how busy its event loop is', async () => {
    const text = await new Metrics('files', 'api').text();
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_utilization'])
      expect(text).toMatch(new RegExp(`^${name}\\{service="files",role="api"\\} \\d`, 'm'));
  });
});
