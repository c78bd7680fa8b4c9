import { describe, expect, it } from '@jest/globals';
import * as contracts from '@kiln/contracts';
import type { EventDefinition, Operation } from '@kiln/contracts';
import {
  consumerName,
  eventStream,
  eventSubject,
  inboxPrefix,
  outboxRequeueSubject,
  pingSubject,
  publicEventStream,
  rpcSubject,
  wakeUpSubject,
} from '@kiln/platform';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { busAccess, type BusAccess } from './bus-access.js';
import { NAMESPACE, permissionsOf } from './permissions.js';
import { usersFile, usersFilePaths } from './users-file.js';

/** Whether a pattern of NATS covers a subject: `*` is one word, `>` the rest. */
function covers(pattern: string, subject: string): boolean {
  const [words, wanted] = [pattern.split('.'), subject.split('.')];
  const end = words.indexOf('>');
  const compared = end === -1 ? words : words.slice(0, end);
  if (end === -1 ? words.length !== wanted.length : wanted.length <= end) return false;
  return compared.every((word, at) => word === '*' || word === wanted[at]);
}

const groups = Object.entries(contracts as unknown as Record<string, Record<string, unknown>>);
const membersOf = <Member>(suffix: string): Member[] => [
  ...new Set(groups.filter(([name]) => name.endsWith(suffix)).flatMap(([, group]) => Object.values(group) as Member[])),
];
const operations = membersOf<Operation>('Operations');
const events = membersOf<EventDefinition>('Events').filter(({ owner }) => owner !== undefined);
const services = busAccess.map(({ service }) => service);
const ownerOf = ({ subject }: Operation) => subject.split('.')[0] ?? '';
const others = ({ service }: BusAccess) => services.filter((other) => other !== service);
const callsOf = (service: string) =>
  busAccess.find((access) => access.service === service)?.calls.map(({ subject }) => subject);

describe('the users of the broker', () => {
  it.each(usersFilePaths.map((path) => [basename(dirname(path)), path]))(
    'in %s are those of the contracts and the sources; npm run bus:users writes them',
    (_folder, path) => {
      expect(readFileSync(path, 'utf8')).toBe(usersFile);
    },
  );

  it('are read from sources that name operations and events', () => {
    expect(operations.length).toBeGreaterThan(100);
    expect(events.length).toBeGreaterThan(15);
    expect(callsOf('gateway')).toEqual(expect.arrayContaining(['files.listFiles.v1', 'analytics.getOverview.v1']));
    expect(callsOf('gateway')).not.toContain('files.finishRuns.v1');
    expect(callsOf('analytics')?.toSorted()).toStrictEqual(['files.countFiles.v1', 'jobs.countJobs.v1']);
    expect([callsOf('connections'), callsOf('webhooks')]).toStrictEqual([[], []]);
  });
});

describe.each(busAccess.map((access) => [access.service, access] as const))('the user %s', (service, access) => {
  const { publish, subscribe } = permissionsOf(access);
  const mayPublish = (subject: string) => publish.some((pattern) => covers(pattern, subject));
  const mayReceive = (subject: string) => subscribe.some((pattern) => covers(pattern, subject));

  it('calls only the operations of other services that the sources of the service name', () => {
    const called = operations.filter(
      (one) => ownerOf(one) !== service && mayPublish(rpcSubject(NAMESPACE, one.subject)),
    );
    expect(called.map(({ subject }) => subject).toSorted()).toStrictEqual(
      access.calls.map(({ subject }) => subject).toSorted(),
    );
  });

  it('answers only the operations of its service', () => {
    const answered = operations.filter(({ subject }) => mayReceive(rpcSubject(NAMESPACE, subject)));
    expect(answered.filter((one) => ownerOf(one) !== service)).toStrictEqual([]);
    expect(answered).toHaveLength(operations.filter((one) => ownerOf(one) === service).length);
  });

  it('publishes only the events that its service owns', () => {
    const published = events.filter(({ type }) => mayPublish(eventSubject(NAMESPACE, type)));
    expect([...new Set(published.map(({ owner }) => owner))].filter((owner) => owner !== service)).toStrictEqual([]);
    expect(published).toHaveLength(access.emits.length);
  });

  it('reads no inbox, ping, wake-up or request of another service, and replies for no other', () => {
    for (const other of others(access)) {
      expect(mayReceive(`${inboxPrefix(other)}.files.process.1`)).toBe(false);
      expect(mayReceive(pingSubject(NAMESPACE, other))).toBe(false);
      expect(mayReceive(wakeUpSubject(NAMESPACE, `${other}.work`))).toBe(false);
      expect(mayReceive(outboxRequeueSubject(NAMESPACE, other))).toBe(false);
      expect(mayPublish(`${inboxPrefix('gateway')}.${other}.process.1`)).toBe(false);
      expect(mayPublish(wakeUpSubject(NAMESPACE, `${other}.work`))).toBe(false);
    }
  });

  it('uses no durable consumer of another service, and its own for their type of event only', () => {
    const stream = eventStream(NAMESPACE);
    const foreign = others(access).flatMap((other) => events.map(({ type }) => consumerName(other, type)));
    const used = ['MSG.NEXT', 'INFO', 'DELETE'].flatMap((request) =>
      foreign.filter((consumer) => mayPublish(`$JS.API.CONSUMER.${request}.${stream}.${consumer}`)),
    );
    expect(used).toStrictEqual([]);
    const pairs = events.flatMap(({ type }) => events.map((filter) => ({ type, filter: filter.type })));
    const created = pairs.filter(({ type, filter }) => {
      const consumer = consumerName(service, type);
      return mayPublish(`$JS.API.CONSUMER.CREATE.${stream}.${consumer}.${eventSubject(NAMESPACE, filter)}`);
    });
    const own = events.filter(({ type }) => access.consumes.some((consumed) => consumed.type === type));
    expect(created).toStrictEqual(own.map(({ type }) => ({ type, filter: type })));
  });

  it('deletes and restores no stream, and changes or empties none unless it keeps them', () => {
    for (const stream of [eventStream(NAMESPACE), publicEventStream(NAMESPACE)]) {
      const requests = ['DELETE', 'PURGE', 'MSG.DELETE', 'RESTORE', 'SNAPSHOT', 'LEADER.STEPDOWN'];
      const allowed = requests.filter((request) => mayPublish(`$JS.API.STREAM.${request}.${stream}`));
      const trims = service === 'files' && stream === eventStream(NAMESPACE);
      expect(allowed).toStrictEqual(trims ? ['PURGE'] : []);
      expect(mayPublish(`$JS.API.STREAM.UPDATE.${stream}`)).toBe(service === 'files');
    }
  });
});
