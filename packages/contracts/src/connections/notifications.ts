// The queue to which a bucket reports changes of its objects, so that they are found without a listing.
import { z } from 'zod';
import { timestampSchema } from '../core/timestamps.js';
import { bucketErrorSchema } from './bucket-errors.js';
import type { StorageProviderId } from './providers.js';

export const notificationTypes = ['sqs', 'pubsub', 'storage_queue'] as const;
export type NotificationType = (typeof notificationTypes)[number];

const QUEUE_LENGTH_MAX = 1_024;

/** The form of `queue`, by type, and what the error says about it. */
const queueForms: Record<NotificationType, { isQueue: (text: string) => boolean; form: string }> = {
  sqs: {
    isQueue: isQueueUrl,
    form: 'the URL of a queue, such as https://sqs.eu-central-1.amazonaws.com/123456789012/kiln',
  },
  pubsub: {
    isQueue: (text) => /^projects\/[a-z][a-z0-9.:-]{0,127}\/subscriptions\/[A-Za-z][\w.~+%-]{2,254}$/.test(text),
    form: 'a subscription, such as projects/acme/subscriptions/kiln',
  },
  storage_queue: {
    isQueue: (text) => /^[a-z0-9](?:-?[a-z0-9]){2,62}$/.test(text),
    form: 'the name of a queue in the storage account of the connection: 3 to 63 lower-case letters, digits and hyphens',
  },
};

function isQueueUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && !url.username && !url.password && !url.search && !url.hash;
  return isPlain && /^https?:$/.test(url.protocol) && /^\/([\w.-]+\/)*[\w.-]{1,80}$/.test(url.pathname);
}

const typeSchema = z.enum(notificationTypes).meta({
  description: '`sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure.',
  examples: ['sqs'],
});

/** What callers set. The service checks that the type fits the provider. */
export const notificationsSchema = z
  .object({
    type: typeSchema,
    queue: z
      .string()
      .max(QUEUE_LENGTH_MAX)
      .meta({
        description: 'The URL of an SQS queue, a Pub/Sub subscription, or the name of a queue in the storage account.',
        examples: ['https://sqs.eu-central-1.amazonaws.com/123456789012/kiln'],
      }),
  })
  .superRefine(({ type, queue }, context) => {
    const { isQueue, form } = queueForms[type];
    if (!isQueue(queue)) context.addIssue({ code: 'custom', path: ['queue'], message: `must be ${form}` });
  })
  .nullable()
  .meta({
    description:
      'The queue to which the bucket reports changed objects. Kiln reads it with the credentials of the connection and updates nodes and files ' +
      'soon after each change. Null, the default: changes are found by syncs only.',
  });

export const notificationStatuses = ['active', 'failing'] as const;

/** As they are returned. */
export const notificationsViewSchema = z
  .object({
    type: typeSchema,
    queue: z.string().max(QUEUE_LENGTH_MAX),
    status: z.enum(notificationStatuses).meta({
      description: '`failing`: the queue, or an object that it names, cannot be read. Kiln tries again.',
      examples: ['active'],
    }),
    error: bucketErrorSchema.nullable().meta({ description: 'Why the queue cannot be used.' }),
    last_received_at: timestampSchema
      .nullable()
      .meta({ description: 'When the last message was received. Null before the first.' }),
  })
  .nullable();

/** The type of the queue to which buckets of the provider report changes. */
export function notificationTypeOf(provider: StorageProviderId): NotificationType {
  if (provider === 'gcs') return 'pubsub';
  return provider === 'container_blob' ? 'storage_queue' : 'sqs';
}
