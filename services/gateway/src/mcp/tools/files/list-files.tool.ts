import { cursorSchema, filesOperations, parseInput, spaceSchema } from '@kiln/contracts';
import { z } from 'zod';
import { spaceFor } from '../../../auth/caller.domain.js';
import { inlineText } from '../../tool-text.domain.js';
import { defineTool, READS } from '../../tool.port.js';

const input = z.object({
  space: spaceSchema.optional().describe('List files of this space only.'),
  search: z.string().min(1).max(200).optional().describe('List files with these words in their name or content only.'),
  limit: z.int().min(1).max(100).default(30),
  cursor: cursorSchema.describe('The next_cursor of the page before.'),
});

export const listFilesTool = defineTool({
  name: 'list_files',
  title: 'List files',
  description:
    'Lists files, the newest first. Use it to see which files exist. Do not use it to find what files say (search_files). Returns one line for each ' +
    'file: id, name, space, media type, size, status, date. The last line has next_cursor when there are more.',
  scope: 'files:read',
  isForPortals: true,
  hints: READS,
  input,
  run: async ({ space, ...asked }, { caller, context, services }) => {
    const query = parseInput(filesOperations.listFiles.input, { ...asked, ...spaceFor(caller, space) });
    const { files, next_cursor } = await services.rpc.call(filesOperations.listFiles, query, context);
    const lines = files.map((file) => {
      const { id, filename, content_type, size_bytes, status, created_at } = file;
      const type = content_type ?? 'unknown type';
      return [id, inlineText(filename), file.space, type, `${size_bytes ?? '?'} bytes`, status, created_at].join(' · ');
    });
    if (next_cursor !== null) lines.push(`next_cursor: ${next_cursor}`);
    return [{ type: 'text', text: lines.length === 0 ? 'No file matches.' : lines.join('\n') }];
  },
});
