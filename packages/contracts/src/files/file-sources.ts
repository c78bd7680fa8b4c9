// Bodies that create a file: with its text, with the URL of its bytes, or with neither.
import { z } from 'zod';
import { filenameSchema, storableText } from './schemas.js';
import { jsonUploadSchema } from './uploads.js';

export const FILE_CONTENT_CHARACTERS_MAX = 1_000_000;
const URL_CHARACTERS_MAX = 8_192;

/** Files that are created so are always processed. */
export const newFileBodySchema = jsonUploadSchema
  .omit({ skip_processing: true })
  .extend({
    filename: filenameSchema.optional().meta({
      description: 'Required, except with `url`: the default is the last part of its path.',
    }),
    content: storableText(FILE_CONTENT_CHARACTERS_MAX)
      .optional()
      .meta({ description: 'The text of the file, which is stored as UTF-8.' }),
    url: z
      .url({ protocol: /^https?$/, error: 'must be a URL that begins with https://' })
      .max(URL_CHARACTERS_MAX)
      .optional()
      .meta({
        description: 'Where Kiln downloads the bytes of the file from, with GET and without credentials.',
        examples: ['https://example.com/reports/2026.pdf'],
      }),
  })
  .superRefine(({ filename, content, url, size_bytes: sizeBytes }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (content !== undefined && url !== undefined) refuse('url', 'must not be given together with content');
    if (filename === undefined && url === undefined) refuse('filename', 'is required');
    if (sizeBytes !== undefined && (content ?? url) !== undefined) {
      refuse('size_bytes', 'must not be given together with content or url');
    }
  })
  .transform((fields) => ({ ...fields, skip_processing: false }));

export type NewFileBody = z.output<typeof newFileBodySchema>;
