// Real: NATS.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { jobsEvents, type CloudEvent } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { eventSubject } from '../bus/names.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { EventListener } from './event-listener.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

it('a listener hears the events that it names while it listens, and nothing that is no event', async () => {
  const { connection, namespace } = platform;
  const publish = (type: string, text: string) => connection.publish(eventSubject(namespace, type), text);
  const event = (id: string) => JSON.stringify({ id, tenantid: 'a', data: {} });
  const heard: CloudEvent[] = [];
  const listener = new EventListener(connection, namespace);
  const ids = () => heard.map(({ id }) => id);
  publish('job.failed', event('before'));
  const stop = await listener.listen([jobsEvents.jobFailed, jobsEvents.jobCancelled], (one) => heard.push(one));
  publish('job.retried', event('not named'));
  for (const text of ['{', 'null', '7', '{}']) publish('job.failed', text);
  publish('job.failed', event('failed'));
  publish('job.cancelled', event('cancelled'));
  await eventually(() => expect(ids().toSorted()).toStrictEqual(['cancelled', 'failed']));
  stop();
  publish('job.failed', event('after'));
  await connection.flush();
  expect(ids()).toHaveLength(2);
});
