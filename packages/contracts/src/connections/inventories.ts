// The inventories that Amazon S3 makes of a bucket, which syncs read in place of a listing.
import { z } from 'zod';
import { BUCKET_NAME_LENGTH_MAX, bucketNameSchema, KEY_BYTES_MAX, keyTextSchema } from './bucket-places.js';

export const INVENTORY_AGE_HOURS_DEFAULT = 48;
/** Inventories are made daily or weekly. */
const AGE_HOURS_MAX = 336;

const prefixMeta = {
  description:
    'Where the inventories are stored: the prefix of their dates, with the names of the source bucket and of the inventory.',
  examples: ['inventories/acme-documents/kiln/'],
};

/** What callers set. */
export const inventorySchema = z
  .object({
    bucket: bucketNameSchema
      .optional()
      .meta({ description: 'The bucket of the inventories. Default: that of the connection.' }),
    prefix: keyTextSchema.refine((text) => text.endsWith('/'), { error: 'must end with a slash' }).meta(prefixMeta),
    max_age_hours: z
      .int()
      .min(1)
      .max(AGE_HOURS_MAX)
      .optional()
      .meta({ description: 'A sync lists the bucket when no inventory is newer. Default: 48.', examples: [48] }),
  })
  .nullable()
  .meta({
    description:
      'Syncs read the newest inventory of Amazon S3 in place of a listing of the bucket. Its files must be CSV or Parquet, with size, last ' +
      'modified date and ETag. Null, the default: syncs list the bucket.',
  });

/** As they are returned. */
export const inventoryViewSchema = z
  .object({
    bucket: z.string().max(BUCKET_NAME_LENGTH_MAX),
    prefix: z.string().max(KEY_BYTES_MAX),
    max_age_hours: z.int(),
  })
  .nullable();
