// Compares the services, events and paths in ARCHITECTURE.md with the contracts and the sources.
import { expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as contracts from './index.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** The cells of a service's row in the table of services: owns, emits, listens to. */
function rowOf(service: string): string[] {
  const [, cells] = new RegExp(`^\\| ${service} +\\|(.*)\\|$`, 'm').exec(textOf('ARCHITECTURE.md')) ?? [];
  if (cells === undefined) throw new Error(`ARCHITECTURE.md has no row for ${service}`);
  return cells.split('|').map((cell) => cell.trim());
}

/** The events that a cell names. */
function listed(service: string, column: 'emits' | 'listens'): string[] {
  const [, emits = '', listens = ''] = rowOf(service);
  const cell = column === 'emits' ? emits : listens;
  if (cell === 'every public event') return sorted(contracts.publicEvents.map(({ type }) => type));
  return sorted([...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]));
}

const emitters = readdirSync(join(root, 'services')).filter((name) =>
  existsSync(join(root, 'services', name, 'package.json')),
);
const exported = contracts as unknown as Record<
  string,
  Record<string, { subject?: string; type?: string }> | undefined
>;
const sorted = (names: (string | undefined)[]) => names.map(String).toSorted((a, b) => a.localeCompare(b));
const eventsOf = (service: string) => Object.values(exported[`${service}Events`] ?? {}).map(({ type }) => type);

it.each(emitters)('the row of %s names exactly the events that it emits in the contracts', (service) => {
  expect(listed(service, 'emits')).toStrictEqual(sorted(eventsOf(service)));
});

/** The events that the consumers in a service's sources name. The webhooks service consumes every public event. */
function consumedBy(service: string): string[] {
  const folder = join(root, 'services', service, 'src');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return paths.flatMap((path) => {
    const source = readFileSync(join(folder, path), 'utf8');
    if (/for \(const definition of publicEvents\)[^]*OnEvents\(definition\)/.test(source)) {
      return contracts.publicEvents.map(({ type }) => type);
    }
    const named = [...source.matchAll(/@OnEvents?\((\w+)\.(\w+)[,)]/g)];
    return named.map(([text, group = '', name = '']) => exported[group]?.[name]?.type ?? text);
  });
}

it.each(emitters)('the row of %s names exactly the events that its consumers handle', (service) => {
  expect(listed(service, 'listens')).toStrictEqual(sorted([...new Set(consumedBy(service))]));
});

it.each(emitters)('every event that %s consumes is emitted by a service', (service) => {
  const emitted = new Set(emitters.flatMap(eventsOf));
  expect(consumedBy(service).filter((type) => !emitted.has(type))).toStrictEqual([]);
});

/** The suffixes that the table of layers names. */
function layers(): Set<string> {
  const [, table = ''] = /## Layers of a service([^]*?)\n## /.exec(textOf('ARCHITECTURE.md')) ?? [];
  const cells = table.split('\n').map((line) => line.split('|')[1] ?? '');
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([a-z]+)`/g)].map(([, suffix = '']) => suffix)));
}

it.each(emitters)('every source file of %s names its layer', (service) => {
  const named = layers();
  const composition = new Set(['main.ts', 'migrate.ts', 'config.ts', 'entities.ts']);
  const folder = join(root, 'services', service, 'src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !/^(test|migrations)\//.test(path))
    .filter((path) => !composition.has(path) && !path.includes('/domain/'));
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.filter((path) => !named.has(/\.([a-z]+)\.ts$/.exec(path)?.[1] ?? ''))).toStrictEqual([]);
});

it.each([
  ['ARCHITECTURE.md', 12],
  ['docs/flows.md', 10],
  ['docs/contributing.md', 10],
])('every path that %s names exists', (document, pathsMin) => {
  const quoted = [...textOf(document).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  const isPath = /^(services|packages|infra|k8s|docs|acceptance|bench)\/[\w./-]+$|^\.[a-z-]+\.(cjs|json)$/;
  const paths = quoted.filter((name) => isPath.test(name));
  expect(paths.length).toBeGreaterThanOrEqual(pathsMin);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toStrictEqual([]);
});
