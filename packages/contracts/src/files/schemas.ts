// Schemas of files, variants and uploads, for the API and the bus.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { recordSchema } from '../core/record.js';
import { timestampSchema } from '../core/timestamps.js';
import { requestedChunkingSchema } from './chunking.js';

export const fileStatuses = ['uploading', 'uploaded', 'processing', 'completed', 'failed'] as const;
export const variantTypes = ['markdown', 'embeddings', 'metadata', 'searchable-index', 'thumbnails', 'layout'] as const;
/** The variants that a job makes, unless its request or the organization names others. */
export const defaultVariantTypes = [
  'markdown',
  'embeddings',
  'metadata',
  'searchable-index',
] as const satisfies readonly (typeof variantTypes)[number][];
export const extractionProviders = ['document_extractor', 'image_extractor', 'audio_extractor'] as const;

export const fileStatusSchema = z.enum(fileStatuses);
export const variantTypeSchema = z.enum(variantTypes);
export const providerSchema = z.enum(extractionProviders);

export type VariantType = z.output<typeof variantTypeSchema>;

export const METADATA_KEYS_MAX = 50;
const FILENAME_BYTES_MAX = 255;
const CONTENT_TYPE_LENGTH_MAX = 255;
export const SPACE_LENGTH_MAX = 64;
const OBJECT_KEY_LENGTH_MAX = 1_024;
const SIGNED_URL_LENGTH_MAX = 16_384;
const EXTERNAL_ID_LENGTH_MAX = 255;

/** A namespace of files, e.g. one per customer. */
export const spaceSchema = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, { error: 'must be 1 to 64 characters of A-Z a-z 0-9 . _ -' })
  .meta({ examples: ['default'] });

// eslint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

/** Stored as sent, and never used as a path. Control characters and path syntax are rejected. */
export const filenameSchema = z
  .string()
  .min(1, { error: 'must not be empty' })
  .refine((name) => name.isWellFormed(), { error: 'must be well-formed Unicode' })
  .refine((name) => Buffer.byteLength(name) <= FILENAME_BYTES_MAX, { error: 'must be at most 255 bytes of UTF-8' })
  .refine((name) => !CONTROL.test(name), { error: 'must not contain control characters' })
  .refine((name) => !/[/\\]/.test(name) && name !== '..' && name !== '.', {
    error: 'must be a name without / \\ or ..',
  })
  .meta({ examples: ['report.pdf'] });

export const contentTypeSchema = z
  .string()
  .max(CONTENT_TYPE_LENGTH_MAX)
  .regex(/^[\w.+-]+\/[\w.+-]+(\s*;[\x20-\x7e]*)?$/, { error: 'must be a media type such as application/pdf' })
  .meta({ examples: ['application/pdf'] });

/** SHA-256 of a file's bytes in lower-case hexadecimal. */
export const sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in lower-case hexadecimal' })
  .meta({
    description: 'SHA-256 of the bytes in lower-case hexadecimal.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  });

/** Text that a database can store: well-formed Unicode without NUL. */
const storable = (text: string) => text.isWellFormed() && !text.includes('\0');
export const storableText = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax, { error: () => `must be at most ${lengthMax.toLocaleString('en')} characters` })
    .refine(storable, { error: 'must be well-formed Unicode without NUL' });

export const metadataSchema = recordSchema(storableText(64).min(1), storableText(1024))
  .refine((metadata) => Object.keys(metadata).length <= METADATA_KEYS_MAX, { error: 'must have at most 50 keys' })
  .meta({ examples: [{ department: 'legal' }] });

/** The id of a file in the system of the caller. */
export const externalIdSchema = storableText(EXTERNAL_ID_LENGTH_MAX)
  .min(1, { error: 'must not be empty' })
  .meta({
    description: 'The id of the file in your system. No two files of the organization have the same one.',
    examples: ['invoice-2031'],
  });

/** The external id in an answer. A service of an earlier release does not return it. */
export const ownedExternalIdSchema = z
  .string()
  .max(EXTERNAL_ID_LENGTH_MAX)
  .nullable()
  .default(null)
  .meta({ description: 'The id of the file in your system. Null if it was given none.' });

/** What callers say about a file, in events. A service of an earlier release does not send it. */
export const fileLabelsSchema = z.object({
  external_id: ownedExternalIdSchema,
  metadata: z
    .record(z.string(), z.string())
    .nullable()
    .default(null)
    .meta({ description: 'The metadata of the file. Null if the job failed before the file was read.' }),
});

export type FileLabels = z.output<typeof fileLabelsSchema>;

export const unknownLabels: FileLabels = { external_id: null, metadata: null };

/** The search text of the file list. Blank text matches every file. */
export const listSearchSchema = storableText(255).meta({
  description:
    'Files whose name contains this text, or whose content has all of its words, in any order. Case does not matter. Words are found in all their forms, and stop words are ignored, as by `POST /v1/search`; quotes and minuses have no special meaning. Only the names of files without the variant `searchable-index` are searched.',
  examples: ['annual report'],
});

/** Processing options. All are optional; the settings of the organization are the defaults. */
export const processingSchema = z.object({
  provider: providerSchema.optional(),
  embedding_model: storableText(128).min(1).optional(),
  chunking: requestedChunkingSchema.optional(),
  variants: z
    .array(variantTypeSchema)
    .min(1)
    .max(variantTypes.length)
    .optional()
    .meta({
      description:
        'The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. ' +
        'A variant that does not apply to the type of the file is skipped.',
    }),
});

/** A file in a list. Metadata is left out, because it can be larger than the rest of a page. */
export const fileSummarySchema = z.object({
  id: idSchema('file'),
  space: z.string().max(SPACE_LENGTH_MAX),
  filename: z.string().max(FILENAME_BYTES_MAX),
  content_type: z.string().max(CONTENT_TYPE_LENGTH_MAX).nullable(),
  size_bytes: z.int().nullable(),
  status: fileStatusSchema,
  job_id: idSchema('job').nullable(),
  external_id: ownedExternalIdSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
});

export const variantSummarySchema = z.object({
  id: idSchema('variant'),
  type: variantTypeSchema,
  content_type: z.string().max(CONTENT_TYPE_LENGTH_MAX),
  size_bytes: z.int(),
  created_at: timestampSchema,
});

export const fileSchema = fileSummarySchema.extend({
  metadata: z.record(z.string(), z.string()),
  sha256: sha256Schema.nullable().default(null).meta({
    description:
      'SHA-256 of the bytes in lower-case hexadecimal. Null until bytes sent to a signed URL have been processed.',
  }),
  variants: z.array(variantSummarySchema).max(variantTypes.length),
});

const variantDetailsSchema = variantSummarySchema.extend({
  file_id: idSchema('file'),
  provider: providerSchema.meta({
    description: 'The provider that read the file, also for a variant that is derived from its text.',
  }),
});

/**
 * A variant within Kiln. A large one has the key of its object and a signed URL, a small one has its
 * text. The text is null if the response has no room for it; `files.getVariantContent` returns it.
 */
export const variantRecordSchema = variantDetailsSchema.extend({
  content_key: z.string().max(OBJECT_KEY_LENGTH_MAX).nullable(),
  content: z.string().nullable(),
  content_url: z.url().max(SIGNED_URL_LENGTH_MAX).nullable(),
});

/** A variant as returned by the API. */
export const variantSchema = variantDetailsSchema.extend({
  content: z.string().nullable().meta({
    description:
      'The content, up to 1 MiB. Null if larger; download it from `content_url`. `thumbnails` (image/webp, at most 512 pixels a side) is a data: URI here.',
  }),
  content_url: z.url().max(SIGNED_URL_LENGTH_MAX).meta({
    description: 'A signed URL that needs no credentials. It works until it expires or the content is deleted.',
  }),
});
