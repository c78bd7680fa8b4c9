// The metrics that the sources create, read from their text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';

const SOURCES = ['packages', 'services'];
const NAME = `'((?:kiln|nodejs|process)_[a-z_]+)'`;
/** A call that creates one metric by name, and an entry of those that `Metrics.gauges` creates. */
const CREATIONS = [
  new RegExp(
    String.raw`\b(?:counter|histogram|gauge|sampledGauge|sampledCounter|createObservable(?:Gauge|Counter))\(\s*(?:meter,\s*)?${NAME}`,
    'g',
  ),
  new RegExp(String.raw`\bname: ${NAME},\s*help:`, 'g'),
];

export function metricsInCode(): Set<string> {
  const texts = SOURCES.flatMap((folder) => sourcesIn(join(repositoryDirectory, folder)));
  const found = texts.flatMap((text) => CREATIONS.flatMap((creation) => [...text.matchAll(creation)]));
  return new Set(found.map(([, name]) => name ?? ''));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'test', 'fixtures'].includes(entry.name) ? [] : sourcesIn(path);
    const isSource = entry.name.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(entry.name);
    return isSource ? [readFileSync(path, 'utf8')] : [];
  });
}
