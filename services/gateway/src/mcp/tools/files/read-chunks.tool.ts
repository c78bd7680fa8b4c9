import { cursorSchema, filesOperations, idSchema, searchOperations } from '@kiln/contracts';
import { z } from 'zod';
import { spaceFor } from '../../../auth/caller.domain.js';
import { asData, DATA_NOTICE, inlineText, joinWithin, maxTokensSchema } from '../../tool-text.domain.js';
import { defineTool, READS } from '../../tool.port.js';

const input = z.object({
  file_id: idSchema('file'),
  limit: z.int().min(1).max(50).default(10),
  cursor: cursorSchema.describe('The next_cursor of the page before.'),
  max_tokens: maxTokensSchema,
});

export const readChunksTool = defineTool({
  name: 'read_chunks',
  title: 'Read the chunks of a file',
  description:
    'Reads the passages of a file in their order, as searches find them, with pages and headings. Use it to see the structure of a file and where ' +
    'something stands. Do not use it for the exact markdown (read_file). Returns the passages, and next_cursor when there are more.',
  scope: 'files:read',
  isForPortals: true,
  hints: READS,
  input,
  run: async ({ file_id, limit, cursor, max_tokens }, { caller, context, services }) => {
    if (caller.authType === 'portal_token') {
      await services.rpc.call(filesOperations.getFile, { id: file_id, ...spaceFor(caller, undefined) }, context);
    }
    const query = { file_id, limit, ...(cursor !== undefined && { cursor }) };
    const { chunks, next_cursor } = await services.rpc.call(searchOperations.listChunks, query, context);
    if (chunks.length === 0) return [{ type: 'text', text: 'The file has no chunks. It may still be in processing.' }];
    const blocks = chunks.map(({ index, page, headings, text }) => {
      const place = [`chunk ${index}`, page === null ? '' : `page ${page}`, headings.map(inlineText).join(' > ')];
      return `${place.filter((part) => part !== '').join(' · ')}\n${asData(file_id, text)}`;
    });
    const rest = 'Ask for fewer chunks with limit, from the same cursor.';
    const { text, shown } = joinWithin({ blocks, maxTokens: max_tokens, rest });
    const isWhole = shown === chunks.length && next_cursor !== null;
    return [
      { type: 'text', text: [DATA_NOTICE, text, isWhole ? `next_cursor: ${next_cursor}` : ''].join('\n\n').trim() },
    ];
  },
});
