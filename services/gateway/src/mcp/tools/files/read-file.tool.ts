import { filesOperations, idSchema } from '@kiln/contracts';
import { z } from 'zod';
import { spaceFor } from '../../../auth/caller.domain.js';
import { asData, bytesOfTokens, DATA_NOTICE, inlineText, maxTokensSchema } from '../../tool-text.domain.js';
import { defineTool, READS } from '../../tool.port.js';
import { readVariantRange, textVariants } from '../../variant-range.service.js';

const input = z.object({
  file_id: idSchema('file'),
  variant: z.enum(textVariants).default('markdown'),
  offset: z.int().min(0).default(0).describe('Where to begin, in bytes. Take it from the end of the range before.'),
  max_tokens: maxTokensSchema,
});

export const readFileTool = defineTool({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Reads a range of the markdown or the metadata of a file. Use it after search_files or list_files, when the passages do not suffice. Do not read ' +
    'long files from end to end (search_files, read_chunks). Returns the text, its length, and the offset of the next range.',
  scope: 'files:read',
  isForPortals: true,
  hints: READS,
  input,
  run: async ({ file_id, variant, offset, max_tokens }, { caller, context, services }) => {
    // The file must be in the space of a portal token.
    const { filename } = await services.rpc.call(
      filesOperations.getFile,
      { id: file_id, ...spaceFor(caller, undefined) },
      context,
    );
    const asked = { file_id, variant, offset, bytesMax: bytesOfTokens(max_tokens) };
    const { text, sizeBytes, nextOffset } = await readVariantRange(asked, context, services);
    const until = nextOffset ?? sizeBytes;
    const range = `bytes ${offset} to ${until} of ${sizeBytes}`;
    const rest = nextOffset === null ? '[end of the variant]' : `[truncated: call again with offset ${nextOffset}]`;
    const head = `${variant} of ${inlineText(filename)}, ${range}. ${DATA_NOTICE}`;
    return [{ type: 'text', text: `${head}\n${asData(file_id, text)}\n${rest}` }];
  },
});
