// Questions that are answered from the content of files.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { streamingOperation } from '../core/streaming-operation.js';
import { contentTypeSchema, metadataSchema, spaceSchema } from '../files/schemas.js';

const QUESTION_CHARACTERS_MAX = 2_000;
const MESSAGES_MAX = 20;
const MESSAGE_CHARACTERS_MAX = 8_000;
export const SOURCES_DEFAULT = 5;
const SOURCES_MAX = 10;

const sourcesError = `must be a whole number from 1 to ${SOURCES_MAX}`;
const sourceCountSchema = z
  .int({ error: sourcesError })
  .min(1, { error: sourcesError })
  .max(SOURCES_MAX, { error: sourcesError });

const questionSchema = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(QUESTION_CHARACTERS_MAX, { error: 'must be at most 2,000 characters' })
  .meta({ description: 'A question in plain words. Quotes and minuses have no special meaning.' });

/** Messages of a conversation, the oldest first. */
const historySchema = z
  .array(
    z.object({
      role: z.enum(['user', 'assistant']),
      content: z.string().max(MESSAGE_CHARACTERS_MAX, { error: 'must be at most 8,000 characters' }),
    }),
  )
  .max(MESSAGES_MAX, { error: 'must have at most 20 messages' });

export type AnswerHistory = z.output<typeof historySchema>;

/** What the answer is made from, and how it is written. */
const optionFields = {
  space: spaceSchema.optional().meta({ description: 'Answers from the files of this space. Default: all spaces.' }),
  content_type: contentTypeSchema.optional().meta({ description: 'Answers from the files of this type.' }),
  metadata: metadataSchema
    .optional()
    .meta({ description: 'Answers from the files that have all of these metadata, with these values.' }),
  history: historySchema.optional().meta({
    description:
      'The conversation before the question, the oldest message first. A chat model rewrites the question so that it can be understood alone. Without a chat model it has no effect.',
  }),
  model: z.string().min(1).max(200).optional().meta({
    description:
      'One of the chat models that the operator offers. Default: the first one. Another name is an error that lists them.',
  }),
  max_tokens: z
    .int()
    .min(16)
    .max(32_768)
    .optional()
    .meta({
      description: 'The longest answer of the chat model, in its tokens. The limit of the operator applies as well.',
    }),
};

const requestFields = z.object({
  question: questionSchema,
  ...optionFields,
  top_k: sourceCountSchema
    .optional()
    .meta({ description: `At most this many passages are given to the answer. Default ${SOURCES_DEFAULT}.` }),
  topK: sourceCountSchema.optional().meta({ description: 'An alias of `top_k`.' }),
  stream: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the answer is sent as server-sent events while it is written.' }),
});

const hasOneCount = ({ top_k: one, topK: other }: { top_k?: number | undefined; topK?: number | undefined }) =>
  one === undefined || other === undefined || one === other;
const twoCounts = { path: ['topK'], error: 'must equal top_k, if both are given' };

export const questionRequestSchema = requestFields.refine(hasOneCount, twoCounts);

/** The holder of a portal token cannot name a space. */
export const portalQuestionRequestSchema = requestFields.omit({ space: true }).refine(hasOneCount, twoCounts);

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
});

export type AnswerSource = z.output<typeof answerSourceSchema>;

const quoteSchema = z.object({
  text: z.string().meta({ description: 'A sentence of the source, as plain text on one line.' }),
  start: z.int().min(0).meta({ description: 'Where the sentence begins in the text of the file, in UTF-16 units.' }),
  end: z.int().min(0).meta({ description: 'Where it ends.' }),
  page: z.int().nullable().meta({
    description: 'The page on which the chunk that contains the sentence begins. Null without pages.',
  }),
});

export const answerCitationSchema = z.object({
  citation: z.int().min(1).meta({ description: 'The number of the cited source.' }),
  position: z.int().min(0).meta({ description: 'Where this `[n]` stands in the answer, in UTF-16 units.' }),
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

const truncatedSchema = z.literal(true).optional().meta({
  description: 'Present if the chat model reached the longest answer that it may write, so that the end is missing.',
});

/** `sources`: those that the answer cites, in the order of their numbers. Empty if the files do not answer the question. */
export const answerResponseSchema = z.object({
  answer: z.string().meta({ description: 'Plain text. `[n]` cites the source with that `citation`.' }),
  question: z.string(),
  sources: z.array(answerSourceSchema),
  citations: citationsSchema,
  omitted_statements: omittedSchema,
  ...aboutModel,
  truncated: truncatedSchema,
});

/** An event of a streamed answer, as the data of a server-sent event. */
export const answerEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chunk'), content: z.string().meta({ description: 'The next part of the answer.' }) }),
  z.object({
    type: z.literal('sources'),
    sources: z.array(answerSourceSchema),
    citations: citationsSchema,
    omitted_statements: omittedSchema,
    ...aboutModel,
    truncated: truncatedSchema,
  }),
  z.object({ type: z.literal('done') }),
  z
    .object({ type: z.literal('error'), error: z.string(), code: z.string(), requestId: z.string() })
    .meta({ description: 'The answer broke off. No event follows.' }),
]);

export type AnswerResponse = z.output<typeof answerResponseSchema>;
export type AnswerEnding = Omit<AnswerResponse, 'answer' | 'question'>;
export type AnswerEvent = z.output<typeof answerEventSchema>;

/** The end of an answer that cites nothing. */
export const NO_SOURCES: AnswerEnding = { sources: [], citations: [], omitted_statements: 0, model: null, usage: null };

export const answersOperations = {
  /** Yields the answer in parts, and returns its sources and citations, and whether its end is missing. The numbers of citations are final from the first part on. */
  answer: streamingOperation({
    subject: 'search.answer.v1',
    input: z.object({ question: questionSchema, ...optionFields, top_k: sourceCountSchema }),
    item: z.object({ content: z.string().min(1) }),
    output: z.object({
      sources: z.array(answerSourceSchema),
      // Release 0.2 does not send these.
      citations: citationsSchema.default([]),
      omitted_statements: omittedSchema.default(0),
      ...aboutModel,
      model: aboutModel.model.default(null),
      usage: aboutModel.usage.default(null),
      truncated: truncatedSchema,
    }),
    errors: [],
    timeoutMs: 90_000,
    idempotent: true,
  }),
};
