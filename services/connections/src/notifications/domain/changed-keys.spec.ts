import { describe, expect, it } from '@jest/globals';
import type { NotificationType } from '@kiln/contracts';
import { changedKeys } from './changed-keys.js';

const read = (type: NotificationType, content: unknown, attributes: Record<string, string> = {}) =>
  changedKeys(type, { body: typeof content === 'string' ? content : JSON.stringify(content), attributes }, 'acme');
const base64 = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64');

const record = (key: string, bucket = 'acme') => ({
  eventVersion: '2.1',
  eventSource: 'aws:s3',
  eventName: 'ObjectRemoved:Delete',
  s3: { bucket: { name: bucket }, object: { key, sequencer: '0055AED6DCD90281E5' } },
});
const s3Event = { Records: [record('a+b%2Bc/%C3%BC.txt'), record('d.txt'), record('other.txt', 'theirs')] };

describe('a message of SQS names', () => {
  it('the decoded keys of all records of the bucket, also through SNS', () => {
    const keys = ['a b+c/ü.txt', 'd.txt'];
    expect(read('sqs', s3Event)).toStrictEqual(keys);
    expect(read('sqs', { Type: 'Notification', TopicArn: 'arn', Message: JSON.stringify(s3Event) })).toStrictEqual(
      keys,
    );
  });

  it('the key of an event of EventBridge as it is', () => {
    const detail = { bucket: { name: 'acme' }, object: { key: 'a+b c.txt' } };
    expect(read('sqs', { source: 'aws.s3', 'detail-type': 'Object Created', detail })).toStrictEqual(['a+b c.txt']);
  });

  it('no key in a test event', () => {
    expect(read('sqs', { Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'acme' })).toStrictEqual([]);
  });
});

it('a message of Pub/Sub names the object in its attributes', () => {
  const attributes = { eventType: 'OBJECT_FINALIZE', bucketId: 'acme', objectId: 'a b+c.txt' };
  expect(read('pubsub', '', attributes)).toStrictEqual(['a b+c.txt']);
  expect(read('pubsub', '', { ...attributes, bucketId: 'theirs' })).toStrictEqual([]);
});

describe('a message of Event Grid names', () => {
  const subject = (key: string) => `/blobServices/default/containers/acme/blobs/${key}`;
  const gridEvent = {
    topic: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a',
    subject: subject('x/a b.txt'),
    eventType: 'Microsoft.Storage.BlobCreated',
    data: { api: 'PutBlob', url: 'https://a.blob.core.windows.net/acme/x/a%20b.txt' },
  };
  const cloudEvent = {
    specversion: '1.0',
    type: 'Microsoft.Storage.BlobDeleted',
    source: gridEvent.topic,
    subject: subject('x/a b.txt'),
    data: { api: 'DeleteBlob' },
  };

  it('the blob, in both schemas, in Base64 or not', () => {
    for (const event of [gridEvent, cloudEvent])
      for (const body of [base64(event), JSON.stringify(event), base64([event])])
        expect(read('storage_queue', body)).toStrictEqual(['x/a b.txt']);
  });

  it('both keys of a renamed blob', () => {
    const data = { sourceUrl: 'https://a.dfs.core.windows.net/acme/old%20name.txt' };
    const event = { ...gridEvent, eventType: 'Microsoft.Storage.BlobRenamed', subject: subject('new.txt'), data };
    expect(read('storage_queue', base64(event))).toStrictEqual(['new.txt', 'old name.txt']);
  });

  it('no key for other containers and other events', () => {
    const theirs = '/blobServices/default/containers/theirs/blobs/a.txt';
    expect(read('storage_queue', base64({ ...gridEvent, subject: theirs }))).toStrictEqual([]);
    expect(read('storage_queue', base64({ ...gridEvent, subject: 'else' }))).toStrictEqual([]);
  });
});

it.each([
  ['sqs', 'no json'],
  ['sqs', '{}'],
  ['sqs', 'null'],
  ['sqs', { Records: 5 }],
  ['sqs', { Records: [{ s3: { bucket: { name: 'acme' }, object: { key: '%zz' } } }] }],
  ['sqs', { Type: 'Notification', Message: 'no json' }],
  ['pubsub', '{"bucket":"acme"}'],
  ['storage_queue', 'no json'],
  ['storage_queue', base64('text')],
  ['storage_queue', base64({ subject: 5 })],
] as const)('a message of %s that is no notification is recognized: %p', (type, content) => {
  expect(read(type, content)).toBeNull();
});
