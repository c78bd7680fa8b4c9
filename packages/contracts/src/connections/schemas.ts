// Connections as returned by the API. No response contains a credential.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { cursorSchema, LIMIT_MAX, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { recordSchema } from '../core/record.js';
import { timestampSchema } from '../core/timestamps.js';
import { LABEL_LENGTH_MAX, labelSchema } from '../gateway/api-keys.js';
import { bucketErrorSchema } from './bucket-errors.js';
import { BUCKET_NAME_LENGTH_MAX, bucketNameSchema, KEY_BYTES_MAX, keyTextSchema } from './bucket-places.js';
import { checkCredentials } from './credentials.js';
import { policyShape, policyViewShape } from './policies.js';
import { authTypeSchema, connectionAuthTypes, storageProviderIds, storageProviderSchema } from './providers.js';

const REGION_LENGTH_MAX = 64;
/** The longest ETag of any supported store. */
const LISTED_KEY_LENGTH_MAX = 4_096;
export const ETAG_LENGTH_MAX = 1_024;
const BROWSE_CURSOR_LENGTH_MAX = 8_192;

const regionSchema = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/, { error: 'must be a region such as eu-central-1' })
  .meta({ examples: ['eu-central-1'] });

export const keyPrefixSchema = keyTextSchema.meta({
  description: 'Return only objects whose keys start with this prefix.',
  examples: ['contracts/2026/'],
});

export const listingOrders = ['sorted', 'unsorted'] as const;
const listingOrderSchema = z.enum(listingOrders).meta({
  description:
    '`sorted`, the default: syncs accept only listings in the order that the provider documents. `unsorted`: for a store ' +
    'that lists keys in no order, such as Storj; syncs accept listings that contain each key once.',
  examples: ['sorted'],
});

const credentialsSchema = recordSchema(z.string(), z.unknown(), { error: 'must be an object' }).meta({
  description:
    '`access_key`: {access_key_id, secret_access_key, endpoint?, session_token?}. `role_assumption`: ' +
    '{role_arn, external_id}. `service_account`: the JSON key, or the configuration of workload identity federation with a service ' +
    'account to impersonate. `service_principal`: {tenant_id, client_id, client_secret, account_name}, {account_name, account_key} or ' +
    '{account_name, sas_token}. Encrypted at rest and never returned.',
});

/** The location and the name of a connected bucket. */
const placeShape = {
  provider: storageProviderSchema,
  name: labelSchema,
  bucket: bucketNameSchema,
  region: regionSchema.nullish(),
  prefix: keyPrefixSchema.nullish(),
  listing_order: listingOrderSchema.optional(),
  ...policyShape,
};

/**
 * Of the plan of the caller. Automatic processing reserves pages against the last limit that was given. A sync fails beyond the last number of nodes.
 */
export const planLimitsInput = {
  pages_limit: z.int().min(0).nullable().optional(),
  nodes_limit: z.int().min(1).optional(),
};

/** Created by the gateway, so that a repeated request is recognized and a role is bound to one organization. */
const byGateway = { id: idSchema('connection'), org_id: idSchema('organization'), ...planLimitsInput };

const newConnectionShape = z.object({ ...placeShape, credentials: credentialsSchema.nullish() });
export const newConnectionSchema = newConnectionShape.superRefine(checkCredentials);
export const newConnectionInput = newConnectionShape.extend(byGateway).superRefine(checkCredentials);

const verifyShape = z.object({ ...placeShape, credentials: credentialsSchema });
export const verifyConnectionSchema = verifyShape.superRefine(checkCredentials);
export const verifyConnectionInput = verifyShape.extend(byGateway).superRefine(checkCredentials);

/** The service checks that the credentials fit the provider, because it knows the connection. */
export const connectionChangesSchema = z.object({
  name: labelSchema.optional(),
  region: regionSchema.nullish(),
  listing_order: listingOrderSchema.optional(),
  ...policyShape,
  credentials: credentialsSchema.optional(),
});

const listBucketsShape = z.object({
  provider: storageProviderSchema,
  region: regionSchema.nullish(),
  credentials: credentialsSchema,
});
export const listBucketsSchema = listBucketsShape.superRefine(checkCredentials);
export const listBucketsInput = listBucketsShape
  .extend({ org_id: idSchema('organization') })
  .superRefine(checkCredentials);

export const connectionStatuses = ['pending', 'active', 'error'] as const;

export const connectionSchema = z.object({
  id: idSchema('connection'),
  provider: storageProviderSchema,
  name: z.string().max(LABEL_LENGTH_MAX),
  bucket: z.string().max(BUCKET_NAME_LENGTH_MAX),
  region: z.string().max(REGION_LENGTH_MAX).nullable(),
  prefix: z.string().max(KEY_BYTES_MAX).nullable(),
  listing_order: listingOrderSchema.optional(),
  ...policyViewShape,
  auth_type: authTypeSchema
    .nullable()
    .meta({ description: 'The type of the stored credentials. Null if there are none.' }),
  status: z
    .enum(connectionStatuses)
    .meta({ description: '`pending`: no test or sync has succeeded yet. `error`: the last test or sync failed.' }),
  error: bucketErrorSchema.nullable().meta({ description: 'Why the last test or sync failed.' }),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});

/** All connections of a tenant fit into one page, unless the operator raises the limit. */
export const connectionQuerySchema = z.object({ limit: limitSchema(LIMIT_MAX), cursor: cursorSchema });

export const connectionListSchema = z.object({
  connections: z.array(connectionSchema),
  next_cursor: nextCursorSchema,
});

export const verifiedConnectionSchema = connectionSchema.extend({ verified: z.literal(true) });

export const connectionTestSchema = z.object({
  success: z.boolean(),
  status: z.enum(connectionStatuses),
  error: bucketErrorSchema.nullable().meta({ description: 'Why the test failed.' }),
});

export const bucketListSchema = z.object({
  buckets: z
    .array(z.object({ name: z.string(), region: z.string().nullable() }))
    .meta({ description: 'At most the first 5,000 buckets.' }),
});

export const providerListSchema = z.object({
  providers: z
    .array(
      z.object({
        id: storageProviderSchema,
        name: z.string().max(LABEL_LENGTH_MAX),
        auth_type: authTypeSchema,
        auth_types: z
          .array(authTypeSchema)
          .max(connectionAuthTypes.length)
          .meta({ description: 'All authentication types that the provider accepts.' }),
      }),
    )
    .max(storageProviderIds.length),
});

export const startSchema = z.object({ provider: storageProviderSchema });

/** Key sets have further fields for each type of key: https://www.rfc-editor.org/rfc/rfc7517 */
const jwksSchema = z.object({ keys: z.array(z.record(z.string(), z.string())) });

export const startedSchema = z.object({
  provider: storageProviderSchema,
  auth_type: authTypeSchema,
  instructions: z.object({
    role_arn: z.string().optional().meta({ description: 'S3: the role that yours must trust.' }),
    external_id: z.string().optional().meta({ description: 'S3: the same for all connections of the organization.' }),
    issuer: z.string().optional().meta({
      description:
        'Google Cloud Storage without a key: the issuer of tokens that the provider of your identity pool must trust.',
    }),
    subject: z.string().optional().meta({
      description: 'The same for all connections of the organization: the subject of these tokens.',
    }),
    jwks: jwksSchema
      .optional()
      .meta({ description: 'The public keys of the issuer, for the provider of your identity pool.' }),
    steps: z.array(z.string()),
    required_fields: z.array(z.string()).meta({ description: 'The required fields of `credentials`.' }),
  }),
});

export const browseQuerySchema = z.object({
  prefix: keyPrefixSchema.optional(),
  limit: limitSchema(50),
  /** Longer than elsewhere, because it contains the provider's cursor. */
  cursor: z.string().min(1).max(BROWSE_CURSOR_LENGTH_MAX).optional(),
});

export const browsedObjectsSchema = z.object({
  objects: z.array(
    z.object({
      key: z.string().max(LISTED_KEY_LENGTH_MAX),
      size_bytes: z.int(),
      etag: z.string().max(ETAG_LENGTH_MAX),
      last_modified: timestampSchema,
    }),
  ),
  next_cursor: nextCursorSchema,
});
