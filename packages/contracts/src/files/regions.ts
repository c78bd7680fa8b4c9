// Where text stands on the pages of a file.
import { z } from 'zod';

const shareSchema = z.number().min(0).max(1);

/** A rectangle on a page. */
export const regionSchema = z.object({
  page: z.int().min(1),
  x: shareSchema.meta({ description: 'The left edge, as a share of the width of the page as it is shown.' }),
  y: shareSchema.meta({ description: 'The upper edge, as a share of the height.' }),
  width: shareSchema,
  height: shareSchema,
});

export type Region = z.output<typeof regionSchema>;

export const REGIONS_MAX = 50;

export const regionsSchema = z.array(regionSchema).max(REGIONS_MAX).meta({
  description:
    'Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells.',
});

/** A line of text on a page: where it begins and ends in the markdown, and its region in ten thousandths of the page. */
const pageLineSchema = z
  .tuple([
    z.int().meta({ description: 'start' }),
    z.int().meta({ description: 'end' }),
    z.int().meta({ description: 'x' }),
    z.int().meta({ description: 'y' }),
    z.int().meta({ description: 'width' }),
    z.int().meta({ description: 'height' }),
  ])
  .readonly();

/** A page of the markdown, as extractions record it. */
export const pageSpanSchema = z.object({
  page: z.int(),
  start: z.int(),
  end: z.int(),
  width: z.number().optional().meta({ description: 'Of the page as it is shown, in points.' }),
  height: z.number().optional(),
  lines: z
    .array(pageLineSchema)
    .readonly()
    .optional()
    .meta({ description: 'Where the text stands, in the order of the markdown.' }),
});
