// Why a connected bucket, or the queue of its notifications, cannot be used.
import { z } from 'zod';

const MESSAGE_LENGTH_MAX = 1_000;

export const bucketErrorCodes = [
  'credentials_missing',
  'access_denied',
  'bucket_not_found',
  'queue_not_found',
  'endpoint_not_allowed',
  'unreachable',
  'timeout',
  'not_configured',
  'refused',
  'object_archived',
  'listing_incomplete',
  'too_many_deletions',
  'too_many_objects',
  'internal',
] as const;

export type BucketErrorCode = (typeof bucketErrorCodes)[number];

export const bucketErrorSchema = z.object({
  code: z.enum(bucketErrorCodes),
  message: z
    .string()
    .max(MESSAGE_LENGTH_MAX)
    .meta({ examples: ['The bucket refused the credentials.'] }),
});
