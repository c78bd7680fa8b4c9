// A connection with its queue, from the check to the nodes. Real: Postgres, and S3 with its notifications to SQS on moto; blobs and queues on Azurite.
// Google's servers are written from its documentation. The test writes the messages of Event Grid and of Cloud Storage.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ObjectStore } from '@kiln/storage';
import { createAzureObjectStore } from '@kiln/storage/azure';
import { createGcsObjectStore } from '@kiln/storage/gcs';
import { createS3ObjectStore } from '@kiln/storage/s3';
import {
  accountSignature,
  createStorageQueue,
  installedProgram,
  startAzurite,
  startGooglePubSub,
  startGoogleStorage,
  startMoto,
} from '@kiln/storage/test-support';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, type HarnessOptions, type NewConnection } from '../test/connections-harness.js';
import { startPooledBucket } from '../test/identity-pool.js';
import { startNotifications } from '../test/notifications-harness.js';

type Connection = NewConnection & { credentials: Record<string, unknown> };

interface Connected {
  connection: Connection;
  options: HarnessOptions;
  objects: ObjectStore;
  /** Reports a change, where the server does not. */
  report: (key: string) => Promise<void> | void;
  /** Lets an organization use the bucket. */
  admit?: (organizationId: string) => void;
}

const moto = await installedProgram('moto', 'moto/bin/moto_server');
const BUCKET = 'acme-documents';

function eventGridMessage(key: string): string {
  const subject = `/blobServices/default/containers/${BUCKET}/blobs/${key}`;
  const event = { id: 'event', eventType: 'Microsoft.Storage.BlobCreated', subject, data: { api: 'PutBlob' } };
  return Buffer.from(JSON.stringify(event)).toString('base64');
}

describe('a connection with notifications', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).toReversed()) await each.close();
  });
  const started = <Server extends { close(): unknown }>(server: Server): Server => {
    open.push(server);
    return server;
  };

  async function onMoto(): Promise<Connected> {
    if ('reason' in moto) throw new Error(moto.reason);
    const aws = started(await startMoto(moto));
    const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const place = { endpoint: aws.url, region: 'us-east-1', forcePathStyle: true, ...keys };
    const objects = createS3ObjectStore({ ...place, bucket: BUCKET });
    await objects.ensureBucket();
    const queue = await aws.createQueue('kiln');
    await aws.notify(BUCKET, 'kiln');
    const credentials = { access_key_id: 'id', secret_access_key: 'secret', endpoint: aws.url };
    const notifications = { type: 'sqs' as const, queue };
    const connection = { provider: 'selfhost_s3' as const, name: 'S3', bucket: BUCKET, credentials, notifications };
    return { connection, options: {}, objects, report: () => undefined };
  }

  async function onAzurite(isBySignature: boolean): Promise<Connected> {
    const blobs = started(await startAzurite());
    const queues = started(await startAzurite({ service: 'queue', account: blobs }));
    const { accountName, accountKey } = blobs;
    const objects = createAzureObjectStore({ endpoint: blobs.url, accountName, accountKey, container: BUCKET });
    await objects.ensureBucket();
    const queue = await createStorageQueue(queues, 'kiln');
    const [azureEndpoint, azureQueueEndpoint] = [blobs, queues].map(({ url }) => url.replace(accountName, '{account}'));
    const expiresOn = new Date(Date.now() + 3_600_000);
    const credentials = {
      account_name: accountName,
      ...(isBySignature
        ? { sas_token: accountSignature(blobs, 'bq', { permissions: 'rlp', expiresOn }) }
        : { account_key: accountKey }),
    };
    const notifications = { type: 'storage_queue' as const, queue: 'kiln' };
    return {
      connection: { provider: 'container_blob', name: 'Azure', bucket: BUCKET, credentials, notifications },
      options: { azureEndpoint: azureEndpoint ?? '', azureQueueEndpoint },
      objects,
      report: (key) => queue.send(eventGridMessage(key)),
    };
  }

  async function onGoogle(): Promise<Connected> {
    const google = started(await startGoogleStorage());
    const pubSub = started(await startGooglePubSub(google.credentialsJson));
    const { url: gcsEndpoint, credentialsJson } = google;
    const objects = createGcsObjectStore({ endpoint: gcsEndpoint, bucket: BUCKET, credentialsJson });
    await objects.ensureBucket();
    const credentials = JSON.parse(credentialsJson) as Record<string, unknown>;
    const notifications = { type: 'pubsub' as const, queue: pubSub.subscription };
    return {
      connection: { provider: 'gcs', name: 'Google', bucket: BUCKET, credentials, notifications },
      options: { gcsEndpoint, pubSubEndpoint: pubSub.url },
      objects,
      report: (key) => pubSub.publish({ eventType: 'OBJECT_FINALIZE', bucketId: BUCKET, objectId: key }),
    };
  }

  async function onGooglePool(): Promise<Connected> {
    // The harness makes the organization, so the pool admits it later.
    const { google, options, configuration: credentials, identity, ...pooled } = await startPooledBucket(BUCKET, []);
    started(pooled);
    const pubSub = started(await startGooglePubSub(google.credentialsJson, google.issued));
    const objects = createGcsObjectStore({
      endpoint: google.url,
      bucket: BUCKET,
      credentialsJson: google.credentialsJson,
    });
    const notifications = { type: 'pubsub' as const, queue: pubSub.subscription };
    return {
      connection: { provider: 'gcs', name: 'Google', bucket: BUCKET, credentials, notifications },
      options: { ...options, pubSubEndpoint: pubSub.url },
      objects,
      report: (key) => pubSub.publish({ eventType: 'OBJECT_FINALIZE', bucketId: BUCKET, objectId: key }),
      admit: (organizationId) => void identity.pool.impersonators.push(organizationId),
    };
  }

  const cases: [string, () => Promise<Connected>, string | null][] = [
    ['SQS on moto', onMoto, 'reason' in moto ? moto.reason : null],
    ['Azure Queue Storage on Azurite', () => onAzurite(false), null],
    ['the same by a shared access signature', () => onAzurite(true), null],
    ['Pub/Sub', onGoogle, null],
    ['Pub/Sub by workload identity federation', onGooglePool, null],
  ];

  for (const [name, start, skip] of cases) {
    const title = `is checked, follows its bucket, and says why its queue fails: ${name}`;
    (skip === null ? it : it.skip)(skip === null ? title : `${title}: ${skip}`, async () => {
      const tenantId = uuidv7();
      const { connection, options, objects, report, admit } = await start();
      const kiln = started(await startNotifications(options));
      admit?.(kiln.organizationId);
      const queue = connection.notifications?.queue ?? '';
      const missing = { ...connection, notifications: { ...connection.notifications, queue: `${queue}-missing` } };
      await expect(kiln.verify(tenantId, missing as Connection)).rejects.toThrow(/There is no such queue/);
      const { id, verified, notifications } = await kiln.verify(tenantId, connection);
      expect([verified, notifications]).toStrictEqual([
        true,
        { ...connection.notifications, status: 'active', error: null, last_received_at: null },
      ]);
      const test = () => kiln.check.test({ id }, contextOf(tenantId));
      expect(await test()).toStrictEqual({ success: true, status: 'active', error: null });

      for (const key of ['a b+c.txt', 'docs/ü.txt']) {
        await objects.put(key, key, { contentType: 'text/plain' });
        await report(key);
      }
      const [{ id: connectionId } = { id: '' }] = await kiln.sql<{ id: string }>('select id from connections');
      while ((await kiln.poll()).outcome !== 'empty');
      expect(await kiln.paths(connectionId)).toStrictEqual(['a b+c.txt', 'docs/', 'docs/ü.txt']);
      const { row } = await kiln.sync(tenantId, connectionId);
      expect(row).toMatchObject({ status: 'completed', files_added: 0, files_updated: 0, files_deleted: 0 });
      await objects.deleteMany(['a b+c.txt']);
      await report('a b+c.txt');
      while ((await kiln.poll()).outcome !== 'empty');
      expect(await kiln.paths(connectionId)).toStrictEqual(['docs/', 'docs/ü.txt']);

      await kiln.sql('update connections set notification_queue = $1', [`${queue}-missing`]);
      expect(await kiln.poll()).toMatchObject({ outcome: 'failed' });
      const error = { code: 'queue_not_found' };
      const failing = await kiln.manage.get({ id }, contextOf(tenantId));
      expect(failing).toMatchObject({ status: 'active', notifications: { status: 'failing', error } });
      expect(await test()).toMatchObject({ success: false, status: 'active', error });
      objects.close();
    });
  }
});

describe('a queue is refused', () => {
  const refused = async (change: object, allow?: string): Promise<string> => {
    const kiln = await startNotifications({ ...(allow !== undefined && { allow }) });
    const credentials = { access_key_id: 'id', secret_access_key: 'secret' };
    const connection = { provider: 's3' as const, name: 'S3', bucket: BUCKET, region: 'eu-central-1', credentials };
    try {
      await kiln.create(uuidv7(), { ...connection, ...change });
      return '';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await kiln.close();
    }
  };
  const sqs = (queue: string) => ({ notifications: { type: 'sqs', queue } });

  it('at a host that is not one of AWS, unless the operator allows it, and at a private address', async () => {
    expect(await refused(sqs('https://sqs.eu-central-1.amazonaws.com/1/kiln'))).toBe('');
    expect(await refused(sqs('https://example.com/1/kiln'))).toMatch(/must be the URL of an SQS queue at AWS/);
    expect(await refused(sqs('https://sqs.eu-central-1.amazonaws.com.example.com/1/kiln'))).toMatch(/at AWS/);
    expect(await refused(sqs('https://127.0.0.1/1/kiln'), '')).toMatch(/private, local or reserved address/);
    expect(await refused(sqs('http://127.0.0.1:9324/1/kiln'))).toBe('');
  });

  it('when its type does not fit the provider', async () => {
    const notifications = { type: 'pubsub', queue: 'projects/acme/subscriptions/kiln' };
    expect(await refused({ notifications })).toBe('notifications.type must be sqs for the provider s3.');
  });
});
