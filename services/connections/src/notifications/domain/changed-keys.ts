// Reads the keys of changed objects from a message of a queue. The message can be late, repeated or out of order, so the worker reads the state of
// each object from the bucket.
import type { NotificationType } from '@kiln/contracts';
import { z } from 'zod';

export interface ReceivedMessage {
  body: string;
  attributes: Readonly<Record<string, string>>;
}

/**
 * The keys in `bucket` that the message names: none for events of other buckets, and test events. Null for a message that is not a
 * notification.
 */
export function changedKeys(type: NotificationType, message: ReceivedMessage, bucket: string): string[] | null {
  const changes = readers[type](message);
  return changes && changes.filter((change) => change.bucket === bucket).map(({ key }) => key);
}

interface Change {
  bucket: string;
  key: string;
}

const readers: Record<NotificationType, (message: ReceivedMessage) => Change[] | null> = {
  sqs: ({ body }) => changesOfS3(parsed(body)),
  pubsub: ({ attributes }) => changesOfGoogle(attributes),
  storage_queue: ({ body }) => changesOfAzure(parsed(body) ?? parsed(Buffer.from(body, 'base64').toString())),
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const place = { bucket: z.object({ name: z.string() }), object: z.object({ key: z.string() }) };
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html; MinIO and Ceph write it too. */
const recordsSchema = z.object({ Records: z.array(z.object({ s3: z.object(place) })) });
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html */
const eventBridgeSchema = z.object({ source: z.literal('aws.s3'), detail: z.object(place) });
/** https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
const snsSchema = z.object({ Type: z.literal('Notification'), Message: z.string() });
/** Sent when the notifications of a bucket are configured. */
const testSchema = z.object({ Event: z.literal('s3:TestEvent') });

function changesOfS3(content: unknown): Change[] | null {
  const wrapped = snsSchema.safeParse(content);
  const inner = wrapped.success ? parsed(wrapped.data.Message) : content;
  const records = recordsSchema.safeParse(inner);
  if (records.success) return changesOfRecords(records.data.Records);
  const event = eventBridgeSchema.safeParse(inner);
  if (event.success) return [{ bucket: event.data.detail.bucket.name, key: event.data.detail.object.key }];
  return testSchema.safeParse(inner).success ? [] : null;
}

/** Keys are encoded as in forms, but not by EventBridge. */
function changesOfRecords(records: z.output<typeof recordsSchema>['Records']): Change[] | null {
  try {
    return records.map(({ s3: { bucket, object } }) => ({
      bucket: bucket.name,
      key: decodeURIComponent(object.key.replaceAll('+', ' ')),
    }));
  } catch {
    return null;
  }
}

/** https://cloud.google.com/storage/docs/pubsub-notifications#attributes */
function changesOfGoogle({ bucketId: bucket, objectId: key }: ReceivedMessage['attributes']): Change[] | null {
  return bucket === undefined || key === undefined ? null : [{ bucket, key }];
}

/** The event schema of Event Grid, and CloudEvents: https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage */
const azureEventSchema = z.object({
  subject: z.string(),
  data: z.object({ sourceUrl: z.string().optional() }).nullish(),
});

function changesOfAzure(content: unknown): Change[] | null {
  const events = z.array(azureEventSchema).safeParse(Array.isArray(content) ? content : [content]);
  if (!events.success) return null;
  return events.data.flatMap(({ subject, data }) => {
    const [, bucket, key] = /^\/blobServices\/default\/containers\/([^/]+)\/blobs\/(.+)$/s.exec(subject) ?? [];
    if (bucket === undefined || key === undefined) return [];
    return [{ bucket, key }, ...renamedFrom(data?.sourceUrl, bucket)];
  });
}

/** The former key of a renamed blob. Its URL has the container first, or after the account. */
function renamedFrom(url: string | undefined, bucket: string): Change[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { pathname } = new URL(url);
  const at = pathname.indexOf(`/${bucket}/`);
  if (at < 0) return [];
  try {
    return [{ bucket, key: decodeURIComponent(pathname.slice(at + bucket.length + 2)) }];
  } catch {
    return [];
  }
}
