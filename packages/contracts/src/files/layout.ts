// The content of the variant `layout`: the blocks of a document, and where they stand on its pages.
import { z } from 'zod';
import { regionSchema } from './regions.js';

export const blockKinds = ['heading', 'paragraph', 'list_item', 'table', 'code'] as const;
export type BlockKind = (typeof blockKinds)[number];

const placedTextSchema = z.object({
  start: z.int().min(0).meta({ description: 'Where the text begins in the markdown of the file, in UTF-16 units.' }),
  end: z.int().min(0).meta({ description: 'Where it ends.' }),
  region: regionSchema.omit({ page: true }).nullable().meta({ description: 'Null if it is not known.' }),
});

const layoutBlockSchema = placedTextSchema.extend({
  kind: z.enum(blockKinds),
  lines: z
    .array(placedTextSchema)
    .meta({ description: 'The lines of the block, or parts of them. Cells of a table have their own.' }),
});

export const layoutSchema = z.object({
  pages: z.array(
    z.object({
      page: z.int().min(1),
      width: z.number().meta({ description: 'Of the page as it is shown, in points (1/72 inch).' }),
      height: z.number(),
      blocks: z.array(layoutBlockSchema).meta({ description: 'In reading order.' }),
    }),
  ),
});

export type Layout = z.output<typeof layoutSchema>;
export type LayoutBlock = z.output<typeof layoutBlockSchema>;
