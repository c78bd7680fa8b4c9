// `node infra/observability/dist/try-queries.js http://127.0.0.1:9090` asks a Prometheus every query of the dashboards over the last half hour,
// and names those that fail or return no series.
import { z } from 'zod';
import { dashboards } from './generated-files.js';

const RANGE_SECONDS = 1_800;
const STEP_SECONDS = 30;
/** Values of Grafana's variables. */
const VARIABLES = { $__rate_interval: '1m', $__range: '30m', $cpu_hour_price: '0.04' };

const answerSchema = z.object({
  error: z.string().optional(),
  data: z.object({ result: z.array(z.object({ values: z.array(z.tuple([z.number(), z.string()])) })) }).optional(),
});

async function problemOf(base: string, expr: string): Promise<string | null> {
  const filled = Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), expr);
  const end = Date.now() / 1_000;
  const range = { start: String(end - RANGE_SECONDS), end: String(end), step: String(STEP_SECONDS) };
  const response = await fetch(`${base}/api/v1/query_range`, {
    method: 'POST',
    body: new URLSearchParams({ query: filled, ...range }),
  });
  const { error, data } = answerSchema.parse(await response.json());
  if (error !== undefined) return error;
  const numbers = data?.result.flatMap(({ values }) => values).filter(([, value]) => value !== 'NaN') ?? [];
  return numbers.length === 0 ? 'no data' : null;
}

const [, , base = 'http://127.0.0.1:9090'] = process.argv;
let count = 0;
let problems = 0;
for (const { title, queries } of dashboards) {
  for (const query of queries) {
    count += 1;
    const problem = await problemOf(base, query);
    if (problem === null) continue;
    problems += 1;
    process.stdout.write(`${title}: ${query}\n  ${problem}\n`);
  }
}
process.stdout.write(`${count} queries, ${problems} without an answer\n`);
process.exitCode = problems === 0 ? 0 : 1;
