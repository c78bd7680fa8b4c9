// Answers to questions, from the content of files.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { streamingOperation } from '../core/streaming-operation.js';
import { regionsSchema } from '../files/regions.js';
import { optionFields, questionSchema, sourceCountSchema } from './question.js';

export const answerSourceSchema = z.object({
  citation: z.int().min(1).meta({ description: 'The number `n` by which the answer cites this source as `[n]`.' }),
  file_id: idSchema('file'),
  fileId: idSchema('file').meta({ description: 'The same as `file_id`.' }),
  filename: z.string(),
  snippet: z.string().meta({ description: 'HTML-escaped. Words of the question are enclosed in `<mark>`.' }),
  score: z.number().min(0).max(1),
  start: z.int().min(0).meta({ description: 'Where the passage begins in the text of the file, in UTF-16 units.' }),
  end: z.int().min(0).meta({ description: 'Where it ends.' }),
  page: z.int().nullable().meta({ description: 'The page on which the passage begins. Null without pages.' }),
  // Release 0.2 does not send them.
  regions: regionsSchema.default([]),
});

export type AnswerSource = z.output<typeof answerSourceSchema>;

const quoteSchema = z.object({
  text: z.string().meta({ description: 'A sentence of the source, as plain text on one line.' }),
  start: z.int().min(0).meta({ description: 'Where the sentence begins in the text of the file, in UTF-16 units.' }),
  end: z.int().min(0).meta({ description: 'Where it ends.' }),
  page: z.int().nullable().meta({
    description:
      'The page on which the sentence begins. Without regions, the one on which its chunk begins. Null without pages.',
  }),
  regions: regionsSchema,
});

export const answerCitationSchema = z.object({
  citation: z.int().min(1).meta({ description: 'The number of the cited source.' }),
  position: z.int().min(0).meta({
    description: 'Where this `[n]` stands in the answer, or where the value begins in a JSON answer. In UTF-16 units.',
  }),
  pointer: z.string().optional().meta({
    description: 'The value of a JSON answer that the source supports, as a JSON Pointer (RFC 6901): `/parts/0/name`.',
  }),
  quote: quoteSchema.nullable().meta({
    description:
      'The sentence that supports the statement before the citation. Null if they cannot be compared, because they are in different languages.',
  }),
});

export type AnswerCitation = z.output<typeof answerCitationSchema>;

const citationsSchema = z
  .array(answerCitationSchema)
  .meta({ description: 'All citations, in the order in which they stand in the answer.' });

const omittedSchema = z.int().min(0).meta({
  description:
    'How many statements of the chat model were left out, in whole or in part, because no source supports them.',
});

const usageSchema = z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) }).nullable();

const aboutModel = {
  model: z
    .string()
    .nullable()
    .meta({ description: 'The chat model that wrote the answer. Null if sentences of the files are quoted.' }),
  usage: usageSchema.meta({
    description:
      'The tokens that the chat model used, as its provider counts them, including those to rewrite the question. Null if it did not count, or was not asked.',
  }),
  rewritten_question: z.string().optional().meta({
    description: 'The question that was answered. Present if the chat model rewrote it, because there was a `history`.',
  }),
};

const aboutJson = {
  json: z
    .unknown()
    .optional()
    .meta({ description: 'The answer as a value, if it was asked for with `answer_format`.' }),
  unsupported: z.array(z.string()).optional().meta({
    description:
      'The strings and numbers of a JSON answer that no source contains, as JSON Pointers. Strings without words, true, false and null are not compared.',
  }),
};

const truncatedSchema = z.literal(true).optional().meta({
  description:
    'Present if the end is missing: the chat model reached the longest answer that it may write, or its provider withheld the rest.',
});

/** What follows the text of an answer. */
const endingSchema = z.object({
  sources: z.array(answerSourceSchema).meta({
    description:
      'Those that the answer cites, in the order of their numbers. Empty if the files do not answer the question.',
  }),
  citations: citationsSchema,
  omitted_statements: omittedSchema,
  ...aboutModel,
  ...aboutJson,
  truncated: truncatedSchema,
});

export const answerResponseSchema = endingSchema.extend({
  answer: z.string().meta({ description: 'Plain text. `[n]` cites the source with that `citation`.' }),
  question: z.string(),
});

/** An event of a streamed answer, as the data of a server-sent event. */
export const answerEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chunk'), content: z.string().meta({ description: 'The next part of the answer.' }) }),
  endingSchema.extend({ type: z.literal('sources') }),
  z.object({ type: z.literal('done') }),
  z
    .object({ type: z.literal('error'), error: z.string(), code: z.string(), requestId: z.string() })
    .meta({ description: 'The answer broke off. No event follows.' }),
]);

export type AnswerEnding = z.output<typeof endingSchema>;
export type AnswerEvent = z.output<typeof answerEventSchema>;

/** The end of an answer that cites nothing. */
export const NO_SOURCES: AnswerEnding = { sources: [], citations: [], omitted_statements: 0, model: null, usage: null };

export const answersOperations = {
  /** Yields the answer in parts, and returns its sources and citations, and whether its end is missing. The numbers of citations are final from the first part on. */
  answer: streamingOperation({
    subject: 'search.answer.v1',
    input: z.object({ question: questionSchema, ...optionFields, top_k: sourceCountSchema }),
    item: z.object({ content: z.string().min(1) }),
    // Release 0.2 sends sources only.
    output: endingSchema.extend({
      citations: citationsSchema.default([]),
      omitted_statements: omittedSchema.default(0),
      model: aboutModel.model.default(null),
      usage: aboutModel.usage.default(null),
    }),
    errors: [],
    timeoutMs: 90_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ question: _question, space: _space, top_k: _count, ...options }) =>
      Object.values(options).every((option) => option === undefined) ? 1 : 2,
  }),
};
