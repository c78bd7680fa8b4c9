// What ARCHITECTURE.md says of events and paths, compared with the contracts and the sources.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as contracts from './index.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');

/** The events that a list item of the service's section names. */
function listed(service: string, item: 'Emits' | 'Listens to'): string[] {
  const [, section = ''] = new RegExp(`^### ${service}$([^]*?)(?=^#)`, 'm').exec(text) ?? [];
  const [, names = ''] = new RegExp(`^- ${item}:([^]*?)(?=^-|^$)`, 'm').exec(section) ?? [];
  return sorted([...names.matchAll(/`([^`]+)`/g)].map((match) => match[1]));
}

const services = ['files', 'jobs', 'search', 'connections', 'webhooks', 'analytics'];
/** The gateway answers HTTP only, so it has no operations. */
const emitters = ['gateway', ...services];
const exported = contracts as unknown as Record<
  string,
  Record<string, { subject?: string; type?: string }> | undefined
>;
const sorted = (names: (string | undefined)[]) => names.map(String).toSorted((a, b) => a.localeCompare(b));
const eventsOf = (service: string) => Object.values(exported[`${service}Events`] ?? {}).map(({ type }) => type);

it('the section of each service names exactly the events that the contracts say it emits', () => {
  for (const service of emitters) {
    assert.deepEqual(listed(service, 'Emits'), sorted(eventsOf(service)), service);
  }
});

/** The events that the consumers in a service's sources name; those of the webhooks service take every public one. */
function consumedBy(service: string): string[] {
  const folder = join(root, 'services', service, 'src');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return paths.flatMap((path) => {
    const source = readFileSync(join(folder, path), 'utf8');
    if (/for \(const definition of publicEvents\)[^]*OnEvents\(definition\)/.test(source)) {
      return contracts.publicEvents.map(({ type }) => type);
    }
    const named = [...source.matchAll(/@OnEvents?\((\w+)\.(\w+)\)/g)];
    return named.map(([text, group = '', name = '']) => exported[group]?.[name]?.type ?? text);
  });
}

it('the section of each service names exactly the events that its consumers listen to', () => {
  for (const service of emitters) {
    assert.deepEqual(listed(service, 'Listens to'), sorted([...new Set(consumedBy(service))]), service);
  }
});

it('nobody listens to an event that nobody emits', () => {
  const emitted = new Set(emitters.flatMap(eventsOf));
  for (const service of services) {
    for (const type of consumedBy(service)) assert.ok(emitted.has(type), `${service} listens to ${type}`);
  }
});

it('every path it names exists', () => {
  const paths = quoted.filter(
    (name) => /^(services|packages|infra|k8s|docs)\/[\w./-]+$/.test(name) || /^\.[a-z-]+\.(cjs|json)$/.test(name),
  );
  assert.ok(paths.length >= 20, 'it names the files of a request and of a file');
  for (const path of paths) assert.ok(existsSync(join(root, path)), path);
});
