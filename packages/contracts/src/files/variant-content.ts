import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';

/** The bytes of JSON available for texts in one response of `files.listVariants`. The rest is for the other fields. */
export const VARIANT_TEXTS_BYTES_MAX = 650_000;

export const variantContentOperations = {
  /** The text of a small variant. NOT_FOUND if the file was deleted or the variant was replaced. */
  getVariantContent: operation({
    subject: 'files.getVariantContent.v1',
    input: z.object({ file_id: idSchema('file'), variant_id: idSchema('variant') }),
    output: z.object({ content_type: z.string(), content: z.string() }),
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
