// The names of buckets and of keys in them.
import { z } from 'zod';

/** The longest key that S3, Google and Azure allow, in bytes. */
export const KEY_BYTES_MAX = 1_024;
export const BUCKET_NAME_LENGTH_MAX = 255;

/** More permissive than every provider's rule, which the provider enforces; strict enough to be safe in a host name or path. */
export const bucketNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9$][A-Za-z0-9._-]{0,254}$/, {
    error: 'must be the name of a bucket or container: letters, digits, dots, hyphens and underscores',
  })
  .meta({ examples: ['acme-documents'] });

export const keyTextSchema = z
  .string()
  .refine((text) => new TextEncoder().encode(text).length <= KEY_BYTES_MAX, {
    error: `must be at most ${KEY_BYTES_MAX} bytes`,
  })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'must be text without NUL' });
