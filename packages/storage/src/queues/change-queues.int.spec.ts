// Each queue with a server: Azurite, moto, and a server written from the documentation of Pub/Sub. moto is skipped where it is not installed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { randomBytes } from 'node:crypto';
import {
  createStorageQueue,
  installedProgram,
  startAzurite,
  startGooglePubSub,
  startMoto,
} from '../test-support/index.js';
import type { ChangeQueue } from './change-queue.port.js';
import { openPubSubQueue } from './pubsub-queue.js';
import { openSqsQueue } from './sqs-queue.js';
import { openStorageQueue } from './storage-queue.js';

interface Server {
  open(change?: { isMissing?: boolean; isForeign?: boolean }): ChangeQueue;
  send(body: string): Promise<void> | void;
  close(): Promise<void> | void;
}

async function onAzurite(): Promise<Server> {
  const azurite = await startAzurite({ service: 'queue' });
  const { url: endpoint, accountName, accountKey } = azurite;
  const created = await createStorageQueue(azurite, 'kiln');
  return {
    open: ({ isMissing, isForeign } = {}) => {
      const key = isForeign ? randomBytes(64).toString('base64') : accountKey;
      const account = { accountName, signIn: { accountKey: key } };
      return openStorageQueue({ endpoint, queue: isMissing ? 'missing' : 'kiln', ...account });
    },
    send: (body) => created.send(body),
    close: () => azurite.close(),
  };
}

const moto = await installedProgram('moto', 'moto/bin/moto_server');

async function onMoto(): Promise<Server> {
  if ('reason' in moto) throw new Error(moto.reason);
  const aws = await startMoto(moto);
  const url = await aws.createQueue('kiln');
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  return {
    open: ({ isMissing } = {}) =>
      openSqsQueue({ queueUrl: isMissing ? `${url}-missing` : url, region: 'us-east-1', credentials }),
    send: (body) => aws.sendMessage(url, body),
    close: () => aws.close(),
  };
}

async function onPubSub(): Promise<Server> {
  const google = await startGooglePubSub();
  const { url: endpoint, subscription, credentialsJson, foreignCredentialsJson } = google;
  return {
    open: ({ isMissing, isForeign } = {}) =>
      openPubSubQueue({
        endpoint,
        subscription: isMissing ? `${subscription}-missing` : subscription,
        credentialsJson: isForeign ? foreignCredentialsJson : credentialsJson,
      }),
    send: (body) => google.publish({ name: body }, body),
    close: () => google.close(),
  };
}

const cases: [string, () => Promise<Server>, string | null, boolean][] = [
  ['Azure Queue Storage on Azurite', onAzurite, null, true],
  // moto checks no signatures.
  ['SQS on moto', onMoto, 'reason' in moto ? moto.reason : null, false],
  ['Pub/Sub on a server written from its documentation', onPubSub, null, true],
];

for (const [name, start, skip, checksCredentials] of cases) {
  (skip === null ? describe : describe.skip)(skip === null ? name : `${name}: ${skip}`, () => {
    let server: Server;
    let queue: ChangeQueue;
    beforeAll(async () => {
      server = await start();
      queue = server.open();
    });
    afterAll(async () => {
      queue.close();
      await server.close();
    });
    /** A queue with messages answers at once, unless the machine is busy. */
    const receive = (hiddenSeconds = 60) => queue.receive({ waitSeconds: 20, hiddenSeconds });
    const isEmpty = async () => expect(await queue.receive({ waitSeconds: 1, hiddenSeconds: 60 })).toStrictEqual([]);

    it('an empty queue returns no message', async () => {
      await isEmpty();
    });

    it('a message is delivered, and again until it is deleted', async () => {
      await server.send('{"a":"ü"}');
      expect((await receive(1)).map(({ body }) => body)).toStrictEqual(['{"a":"ü"}']);
      const again = await eventually(async () => {
        const messages = await receive();
        expect(messages).toHaveLength(1);
        return messages;
      });
      await queue.delete(again);
      await isEmpty();
    });

    it('many messages are received in batches, and deleted together', async () => {
      for (let at = 0; at < 25; at += 1) await server.send(`message ${at}`);
      const bodies = new Set<string>();
      while (bodies.size < 25) {
        const batch = await receive();
        for (const { body } of batch) bodies.add(body);
        await queue.delete(batch);
      }
      await isEmpty();
    });

    it('a check takes no message from the queue', async () => {
      await queue.check();
      await server.send('kept');
      await queue.check();
      const batch = await receive();
      expect(batch.map(({ body }) => body)).toStrictEqual(['kept']);
      await queue.delete(batch);
    });

    it('a queue that does not exist is not_found', async () => {
      const missing = server.open({ isMissing: true });
      await expect(missing.check()).rejects.toMatchObject({ code: 'not_found', retryable: false });
      await expect(missing.receive({ waitSeconds: 0, hiddenSeconds: 60 })).rejects.toMatchObject({ code: 'not_found' });
      missing.close();
    });

    if (checksCredentials) {
      it('other credentials are access_denied', async () => {
        const foreign = server.open({ isForeign: true });
        await expect(foreign.check()).rejects.toMatchObject({ code: 'access_denied', retryable: false });
        foreign.close();
      });
    }

    it('a receive ends when it is aborted', async () => {
      const signal = AbortSignal.abort();
      await expect(queue.receive({ waitSeconds: 20, hiddenSeconds: 60, signal })).rejects.toMatchObject({
        code: 'unavailable',
      });
    });
  });
}
