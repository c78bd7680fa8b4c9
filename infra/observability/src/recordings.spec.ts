// Real: promtool, where it is installed, and series that Prometheus scraped from a system of `npm start` under a small load (uploads, lists,
// searches and a webhook, two a second in all), while a part of it was stopped. `record-series.ts` wrote them. Each begins 3 minutes before.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory, topology } from '@kiln/dev';
import { running, type Series } from './alert-cases.js';
import { isPromtoolInstalled, NOT_INSTALLED, testRules } from './promtool.js';

interface Recording {
  name: string;
  /** What was done. */
  fault: string;
  /** When the alerts fire. */
  at: string;
  firing: readonly Readonly<Record<string, string>>[];
}

const page = (alertname: string, labels: object = {}) => ({ alertname, ...labels, severity: 'page' });
const BEFORE = '3m';

const recordings: readonly Recording[] = [
  {
    name: 'worker-stopped',
    fault: 'the jobs worker hangs (SIGSTOP for 9.5 minutes)',
    at: '12m',
    firing: [page('KilnJobsWaiting'), page('KilnServiceMissing', { service: 'jobs' })],
  },
  {
    name: 'broker-stopped',
    fault: 'NATS hangs (SIGSTOP for 7 minutes)',
    at: '8m',
    firing: [page('KilnApiErrors')],
  },
  {
    name: 'webhooks-stopped',
    fault: 'the webhooks service hangs (SIGSTOP for 7 minutes)',
    at: '8m',
    firing: [page('KilnServiceMissing', { service: 'webhooks' })],
  },
  {
    name: 'dead-letter',
    fault: 'an event became a dead letter, which was removed 7 minutes later',
    at: '9m',
    firing: [{ alertname: 'KilnDeadLetters', consumer: 'search-file-deleted', severity: 'ticket' }],
  },
  {
    name: 'table-locked',
    fault: 'a transaction locks the table of files for 9 minutes, while 40 callers list files',
    at: '12m',
    firing: [page('KilnApiErrors'), page('KilnDatabasePoolExhausted', { service: 'files', role: 'api' })],
  },
];

/** With the processes of services that are newer than the recording. */
function seriesOf(name: string): Series {
  const path = join(repositoryDirectory, 'infra/observability/src/recordings', `${name}.json`);
  const { series } = JSON.parse(readFileSync(path, 'utf8')) as { series: Series };
  const recorded = new Set(Object.keys(series).map((key) => /^kiln_build_info\{.*service="([a-z]+)"/.exec(key)?.[1]));
  const later = topology.filter(({ service }) => !recorded.has(service)).map(({ service }) => `service="${service}"`);
  const ofLater = Object.entries(running).filter(([key]) => later.some((label) => key.includes(label)));
  return { ...Object.fromEntries(ofLater), ...series };
}

const title = isPromtoolInstalled ? 'a recorded system' : `a recorded system (${NOT_INSTALLED})`;
(isPromtoolInstalled ? describe : describe.skip)(title, () => {
  it.each(recordings)('in which $fault shows the alerts of this fault and no others, and none before', (recording) => {
    const { name, at, firing } = recording;
    const expectations = [
      { at: BEFORE, firing: [] },
      { at, firing },
    ];
    expect(testRules([{ name, series: seriesOf(name), expectations }])).toBe('');
  });
});
