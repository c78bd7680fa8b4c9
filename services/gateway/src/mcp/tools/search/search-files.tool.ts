import {
  parseInput,
  searchModes,
  spaceSchema,
  contentTypeSchema,
  searchRequestSchema,
  type publicSearchResultSchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { search } from '../../../search/search.handler.js';
import { fileLinks } from '../../file-links.domain.js';
import { asData, DATA_NOTICE, inlineText, joinWithin, maxTokensSchema } from '../../tool-text.domain.js';
import { defineTool, READS } from '../../tool.port.js';

type Result = z.output<typeof publicSearchResultSchema>;

const input = z.object({
  query: z.string().min(1).max(2_000).describe('Words to find. "two words" is a phrase, -word excludes files.'),
  mode: z.enum(searchModes).default('hybrid').describe('text: by words. vector: by meaning. hybrid: by both.'),
  space: spaceSchema.optional().describe('Search in this space only.'),
  content_type: contentTypeSchema
    .optional()
    .describe('Find files of this media type only, for example application/pdf.'),
  limit: z.int().min(1).max(50).default(8).describe('How many passages to return.'),
  max_tokens: maxTokensSchema,
});

export const searchFilesTool = defineTool({
  name: 'search_files',
  title: 'Search files',
  description:
    'Finds passages in the content of files. Use it to find out which files say something about a subject. Do not use it to list files by date or ' +
    'space (list_files), or for a question with one short answer (ask_question). Returns the best passages with file ids, pages and headings.',
  scope: 'search:read',
  isForPortals: true,
  hints: READS,
  input,
  run: async ({ max_tokens, space, ...asked }, { caller, context, services }) => {
    const body = parseInput(searchRequestSchema, { ...asked, space, group: 'chunk' });
    const { results, total } = await search({ body, caller, context }, services);
    if (results.length === 0) return [{ type: 'text', text: 'No passage matches. Try fewer or other words.' }];
    const rest = 'Set a larger max_tokens or a smaller limit.';
    const { text, shown } = joinWithin({ blocks: results.map(passageOf), maxTokens: max_tokens, rest });
    const head = `Files that match: ${total}. ${DATA_NOTICE}`;
    return [{ type: 'text', text: `${head}\n\n${text}` }, ...fileLinks(results.slice(0, shown))];
  },
});

function passageOf(result: Result, index: number): string {
  const { file_id, filename = '', page, headings = [], score, chunk_index } = result;
  const place = [
    inlineText(filename),
    file_id,
    page ? `page ${page}` : '',
    chunk_index === undefined ? '' : `chunk ${chunk_index}`,
    headings.map(inlineText).join(' > '),
    `score ${score.toFixed(2)}`,
  ];
  return `[${index + 1}] ${place.filter((part) => part !== '').join(' · ')}\n${asData(file_id, result.text)}`;
}
