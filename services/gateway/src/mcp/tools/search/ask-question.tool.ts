import { parseInput, questionRequestSchema, sourceCountSchema, SOURCES_DEFAULT, spaceSchema } from '@kiln/contracts';
import { z } from 'zod';
import { askWhole } from '../../../answers/answer.handler.js';
import { fileLinks } from '../../file-links.domain.js';
import { asData, DATA_NOTICE, inlineText, joinWithin, TOKENS_DEFAULT, visibleText } from '../../tool-text.domain.js';
import { defineTool, READS } from '../../tool.port.js';

const input = z.object({
  question: z.string().min(1).max(2_000),
  space: spaceSchema.optional().describe('Answer from files of this space only.'),
  top_k: sourceCountSchema.default(SOURCES_DEFAULT).describe('From how many passages to answer.'),
});

export const askQuestionTool = defineTool({
  name: 'ask_question',
  title: 'Ask a question',
  description:
    'Answers a question from the content of files, and cites the sentences that support the answer. Use it for a question of fact. Do not use it for ' +
    'an overview of many files (search_files). Returns the answer, its quotes with pages, and links to the files.',
  scope: 'search:read',
  isForPortals: true,
  hints: READS,
  input,
  run: async (given, { caller, context, http, services }) => {
    const body = parseInput(questionRequestSchema, given);
    const { answer, citations, sources, truncated } = await askWhole({ body, caller, context, http }, services);
    const nameOf = new Map(sources.map(({ citation, filename, file_id }) => [citation, { file_id, filename }]));
    const quotes = citations.flatMap(({ citation, quote }) => {
      if (!quote) return [];
      const { file_id = '', filename = '' } = nameOf.get(citation) ?? {};
      const page = quote.page ? `, page ${quote.page}` : '';
      return [`[${citation}] ${inlineText(filename)} (${file_id}${page})\n${asData(file_id, quote.text)}`];
    });
    const end = truncated ? '\n\n[truncated: the end of the answer is missing]' : '';
    const blocks = [`${DATA_NOTICE}\n\n${visibleText(answer)}${end}`, ...quotes];
    const { text } = joinWithin({ blocks, maxTokens: TOKENS_DEFAULT, rest: 'Read the files for the other quotes.' });
    return [{ type: 'text', text }, ...fileLinks(sources)];
  },
});
