// `node infra/observability/dist/record-series.js URL NAME FROM TO` writes to src/recordings/NAME.json what a Prometheus has scraped between two
// Unix times, of the series that the alerts query. For the specs: stop a part of a launched system while Prometheus scrapes it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { z } from 'zod';

const STEP_SECONDS = 30;
/** A bit longer than the scrape interval. An older sample means that the process has not answered. */
const SAMPLE_AGE = '16s';

const whole = (name: string) => [name, `last_over_time(${name}[${SAMPLE_AGE}])`] as const;
const summed = (name: string, by: string, matcher = '') =>
  [name, `sum by (${by}) (last_over_time(${name}${matcher}[${SAMPLE_AGE}]))`] as const;

/** Series with many labels that no alert uses are summed. */
const QUERIES = [
  summed('kiln_http_request_seconds_count', 'status'),
  summed('kiln_job_completion_seconds_bucket', 'le', '{le=~"300(.0)?"}'),
  summed('kiln_job_completion_seconds_count', 'role'),
  whole('kiln_jobs_oldest_queued_seconds'),
  whole('kiln_jobs_claiming'),
  whole('kiln_webhook_oldest_due_seconds'),
  whole('kiln_webhook_attempts_total'),
  whole('kiln_outbox_oldest_seconds'),
  whole('kiln_consumer_waiting_events'),
  whole('kiln_dead_letters'),
  whole('kiln_syncs_oldest_due_seconds'),
  whole('kiln_engine_failures_total'),
  whole('kiln_extraction_isolation'),
  whole('kiln_database_waiting_requests'),
  whole('kiln_build_info'),
];
/** Series that are 0 all the time are left out, unless 0 is a fault. */
const MEANINGFUL_ZEROS = new Set(['kiln_jobs_claiming']);
const LABELS_LEFT_OUT = new Set(['__name__', 'instance', 'job', 'version', 'node_version']);

const answerSchema = z.object({
  data: z.object({
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        values: z.array(z.tuple([z.number(), z.string()])),
      }),
    ),
  }),
});

const [, , base = '', name = '', from = '', to = ''] = process.argv;
const times: number[] = [];
for (let time = Number(from); time <= Number(to); time += STEP_SECONDS) times.push(time);

const series: Record<string, string> = {};
for (const [metric, query] of QUERIES) {
  const range = { start: from, end: to, step: String(STEP_SECONDS) };
  const body = new URLSearchParams({ query, ...range });
  const response = await fetch(`${base}/api/v1/query_range`, { method: 'POST', body });
  for (const { metric: labels, values } of answerSchema.parse(await response.json()).data.result) {
    const at = new Map(values);
    const samples = times.map((time) => at.get(time));
    if (!MEANINGFUL_ZEROS.has(metric) && samples.every((value) => value === undefined || value === '0')) continue;
    const kept = Object.entries(labels).filter(([label]) => !LABELS_LEFT_OUT.has(label));
    const matcher = kept.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(', ');
    series[`${metric}{${matcher}}`] = notationOf(samples);
  }
}
const path = join(repositoryDirectory, 'infra/observability/src/recordings', `${name}.json`);
writeFileSync(path, `${JSON.stringify({ step: `${STEP_SECONDS}s`, series }, null, 2)}\n`);

/** The notation of promtool: `5x3` is 5 and three times the same, `stale` the end of a series, `_` no sample. */
function notationOf(samples: readonly (string | undefined)[]): string {
  const words = samples.map((value, index) => {
    if (value !== undefined) return String(Math.round(Number(value) * 10) / 10);
    return samples[index - 1] === undefined ? '_' : 'stale';
  });
  const shown: string[] = [];
  for (let index = 0; index < words.length;) {
    const word = words[index] ?? '';
    const next = words.findIndex((other, at) => at > index && other !== word);
    const count = (next === -1 ? words.length : next) - index;
    const repeated = word === '_' ? `_x${count}` : `${word}x${count - 1}`;
    shown.push(count === 1 ? word : repeated);
    index += count;
  }
  return shown.join(' ');
}
