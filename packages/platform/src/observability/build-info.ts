// The release of a running process, as a metric whose value is always 1.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Metrics } from './metrics.js';

const packageSchema = z.object({ version: z.string() });

/** All packages have the version of the release. */
const { version } = packageSchema.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
);

export function observeBuild(metrics: Pick<Metrics, 'sampledGauge'>): void {
  metrics.sampledGauge('kiln_build_info', {
    help: 'Always 1; the labels name the release of Kiln and the version of Node',
    labelNames: ['version', 'node_version'],
    read: async () => [{ labels: { version, node_version: process.versions.node }, value: 1 }],
  });
}
