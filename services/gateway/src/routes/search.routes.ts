import {
  answerEventSchema,
  answerResponseSchema,
  publicSearchResponseSchema,
  questionRequestSchema,
  searchRequestSchema,
} from '@kiln/contracts';
import { ANSWER_MS, answerQuestion } from '../answers/answer.handler.js';
import { exampleAnswer, exampleSearchResponse } from './shared.examples.js';
import { search } from '../search/search.handler.js';
import { handlerRoute } from './kinds.route.js';

const ANSWER_DESCRIPTION = `Answers only from the content of files, and cites its sources: \`[n]\` in the answer refers to the source with that \`citation\`. If no file answers the question, the answer says so and \`sources\` is empty. Without a chat model, the answer consists of the best sentences of the files.

Each statement is compared with the sources. \`citations\` has the sentence that supports it, and where that sentence stands in the file. Statements of the chat model that no source supports are left out, and \`omitted_statements\` counts them. A comparison of words and numbers does not notice every false statement: read the quotes before you rely on an answer.

With \`stream: true\` the response is server-sent events, each with JSON as its data: \`chunk\` for each part of the answer, then \`sources\`, then \`done\`. A last event has the literal data \`[DONE]\`. If the answer breaks off, the last event is \`error\`. An error before the first part is an ordinary error response. A streamed response is not stored for an Idempotency-Key: a repeat asks again.`;

const WORDS_PER_UNIT = 4;
/** An ordinary query is shorter. */
const WORDS_FREE = 16;

/** Each word of a query is looked up by itself. */
export function unitsOfWords(query: string): number {
  const words = query.split(/\s+/, WORDS_PER_UNIT * 64).length;
  return words <= WORDS_FREE ? 0 : Math.ceil(words / WORDS_PER_UNIT);
}

/** A list names all files that match, and not only the best ones. */
export const unitsOfListedWords = (search: string): number => 4 * unitsOfWords(search);

/** What rows for keys have in common with rows for portal tokens. */
export const searching = {
  method: 'POST',
  units: ({ query }: { query: string }) => unitsOfWords(query),
  handler: search,
  response: publicSearchResponseSchema,
} as const;
export const answering = {
  method: 'POST',
  description: ANSWER_DESCRIPTION,
  units: ({ question }: { question: string }) => unitsOfWords(question),
  handler: answerQuestion,
  response: answerResponseSchema,
  events: answerEventSchema,
  timeoutMs: ANSWER_MS,
} as const;

export const searchRoutes = [
  handlerRoute({
    name: 'search',
    ...searching,
    path: '/v1/search',
    tag: 'Search',
    summary: 'Search the content of files.',
    scope: 'search:read',
    body: searchRequestSchema,
    example: {
      request: { query: 'termination notice', mode: 'text', limit: 5 },
      response: exampleSearchResponse,
    },
  }),
  handlerRoute({
    name: 'answerQuestion',
    ...answering,
    path: '/v1/qa',
    tag: 'Search',
    summary: 'Answer a question from files.',
    scope: 'search:read',
    body: questionRequestSchema,
    example: {
      request: { question: 'How is a contract terminated?', top_k: 3 },
      response: exampleAnswer,
    },
  }),
];
