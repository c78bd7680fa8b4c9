// The rules that select the objects that are processed automatically. An object is selected when every rule that is set selects it.
import { z } from 'zod';
import { timestampSchema } from '../core/timestamps.js';
import { requestTimeSchema } from '../gateway/request-time.js';

/** The rules, in the order in which they are checked. */
export const ruleNames = [
  'include',
  'exclude',
  'min_size',
  'max_size',
  'modified_after',
  'content_types',
  'storage_classes',
] as const;
export type RuleName = (typeof ruleNames)[number];

const PATTERNS_MAX = 50;
const PATTERN_LENGTH_MAX = 512;
const globsSchema = z
  .array(
    z
      .string()
      .min(1)
      .max(PATTERN_LENGTH_MAX)
      .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'must be text without NUL' }),
  )
  .max(PATTERNS_MAX);
const contentTypesSchema = z
  .array(
    z
      .string()
      .max(255)
      .regex(/^[\w.+-]+\/([\w.+-]+|\*)$/, { error: 'must be a media type such as application/pdf, or image/*' }),
  )
  .max(PATTERNS_MAX);
const storageClassesSchema = z
  .array(z.string().max(64).regex(/^\w+$/, { error: 'must be a storage class such as STANDARD' }))
  .max(20);
const sizeSchema = z.int().min(0).nullable();
const modifiedAfterMeta = { description: 'Select only objects that were modified later. Null: objects of any age.' };

/** What callers set. An empty list and null mean no rule. */
export const ruleShape = {
  include: globsSchema.optional().meta({
    description:
      'Select only objects whose key matches one of these glob patterns: `*` matches within a folder, `**` across folders, `{a,b}` either. A ' +
      'pattern without a slash matches the name of the object in any folder. Case matters.',
    examples: [['contracts/**', '*.pdf']],
  }),
  exclude: globsSchema
    .optional()
    .meta({ description: 'Leave out objects whose key matches one of these patterns.', examples: [['**/drafts/**']] }),
  min_size: sizeSchema.optional().meta({ description: 'The smallest size to select, in bytes.', examples: [1] }),
  max_size: sizeSchema
    .optional()
    .meta({ description: 'The largest size to select, in bytes.', examples: [104_857_600] }),
  modified_after: requestTimeSchema
    .transform((time) => time.toISOString())
    .nullable()
    .optional()
    .meta(modifiedAfterMeta),
  content_types: contentTypesSchema.optional().meta({
    description: 'Select only objects of these types, by the extension of their name. `image/*` selects all images.',
    examples: [['application/pdf']],
  }),
  storage_classes: storageClassesSchema.optional().meta({
    description: 'Select only objects of these storage classes. An object without one is `STANDARD`.',
    examples: [['STANDARD']],
  }),
};

/** As they are returned. */
export const ruleViewShape = { modified_after: timestampSchema.nullable().optional().meta(modifiedAfterMeta) };
