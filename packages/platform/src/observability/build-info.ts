// The version of a running service, as a metric whose value is always 1.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Metrics } from './metrics.js';

const packageSchema = z.object({ version: z.string() });

/** The version of the package to which a program belongs. */
export function versionOfProgram(path: string): string {
  const manifest = findPackageJSON(pathToFileURL(path));
  if (manifest === undefined) throw new Error(`${path} belongs to no package, so its version is unknown`);
  return packageSchema.parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
}

export function observeBuild(metrics: Pick<Metrics, 'sampledGauge'>, program: string): void {
  const version = versionOfProgram(program);
  metrics.sampledGauge('kiln_build_info', {
    help: 'Always 1; the labels name the versions of the service and of Node',
    labelNames: ['version', 'node_version'],
    read: async () => [{ labels: { version, node_version: process.versions.node }, value: 1 }],
  });
}
