// Reads the operations and events that the sources of a service name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@kiln/contracts';
import { publicEvents, type EventDefinition, type Operation } from '@kiln/contracts';
import { repositoryDirectory } from '@kiln/dev';

type Exported = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
const exported = contracts as unknown as Exported;

const isShipped = (path: string) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.startsWith('test/');

/** The texts of the shipped source files. */
export function sourcesOf(service: string): string[] {
  const folder = join(repositoryDirectory, 'services', service, 'src');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isShipped);
  return paths.map((path) => readFileSync(join(folder, path), 'utf8'));
}

/** The members of exported groups, such as `filesOperations.getFile`, also where a file imports the group under another name. */
function membersIn(source: string, suffix: 'Operations' | 'Events'): unknown[] {
  const others = source.matchAll(new RegExp(`\\b(\\w+${suffix}) as (\\w+)`, 'g'));
  const groupOf = new Map([...others].map(([, group = '', name = '']) => [name, group]));
  return [...source.matchAll(/\b(\w+)\.(\w+)\b/g)].flatMap(([, name = '', member = '']) => {
    const group = groupOf.get(name) ?? name;
    const found = group.endsWith(suffix) ? exported[group]?.[member] : undefined;
    return found === undefined ? [] : [found];
  });
}

export function operationsNamedBy(service: string): Operation[] {
  return unique(sourcesOf(service).flatMap((source) => membersIn(source, 'Operations') as Operation[]));
}

export function eventsNamedBy(service: string): EventDefinition[] {
  return unique(sourcesOf(service).flatMap((source) => membersIn(source, 'Events') as EventDefinition[]));
}

/** The events that have a durable consumer in the service. */
export function eventsConsumedBy(service: string): EventDefinition[] {
  const consumed = sourcesOf(service).flatMap((source) => {
    if (/for \(const definition of publicEvents\)[^]*OnEvents\(definition\)/.test(source)) return publicEvents;
    const named = [...source.matchAll(/@OnEvents?\((\w+\.\w+)[,)]/g)].map(([, name = '']) => name);
    return membersIn(named.join('\n'), 'Events') as EventDefinition[];
  });
  return unique(consumed);
}

/** The events of the contracts that the service emits. */
export function eventsOwnedBy(service: string): EventDefinition[] {
  return Object.values(exported[`${service}Events`] ?? {}) as EventDefinition[];
}

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];
