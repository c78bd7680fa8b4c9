// Images of the pages of a file, drawn when they are first asked for.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { queryNumberSchema } from '../core/query-numbers.js';
import { spaceSchema } from './schemas.js';

/** Pages are drawn at these widths, so that a page has a bounded number of images. In pixels. */
export const pageImageWidths = [320, 640, 1024, 1600, 2048] as const;
const WIDTH_MAX = 2048;
const WIDTH_DEFAULT = 1024;
export const PAGE_MAX = 100_000;

/** In a path. */
export const pageNumberSchema = queryNumberSchema(1, PAGE_MAX);

export const pageImageQuerySchema = z.object({
  width: queryNumberSchema(1, WIDTH_MAX)
    .default(WIDTH_DEFAULT)
    .meta({
      description: `The width in pixels that is needed. The image has the next of these widths: ${pageImageWidths.join(', ')}.`,
    }),
});

type PageImageWidth = (typeof pageImageWidths)[number];

/** The smallest width that is enough. */
export const imageWidthOf = (width: number): PageImageWidth =>
  pageImageWidths.find((drawn) => drawn >= width) ?? WIDTH_MAX;

export const pageImagesOperations = {
  /** Draws the image unless it is stored. With `space`, a file of another space is NOT_FOUND. */
  getPageImage: operation({
    subject: 'files.getPageImage.v1',
    input: z.object({
      file_id: idSchema('file'),
      space: spaceSchema.optional(),
      page: z.int().min(1).max(PAGE_MAX),
      width: z.literal(pageImageWidths),
    }),
    output: z.object({ key: z.string().meta({ description: 'Of the image in the object store.' }) }),
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 45_000,
    idempotent: true,
  }),
};
