// What a question asks for.
import { z } from 'zod';
import { fileFilterSchema } from '../files/filter.js';
import { contentTypeSchema, metadataSchema, spaceSchema } from '../files/schemas.js';
import { answerFormatSchema } from './answer-format.js';

const QUESTION_CHARACTERS_MAX = 2_000;
const MESSAGES_MAX = 20;
const MESSAGE_CHARACTERS_MAX = 8_000;
export const SOURCES_DEFAULT = 5;
const SOURCES_MAX = 10;

const sourcesError = `must be a whole number from 1 to ${SOURCES_MAX}`;
export const sourceCountSchema = z
  .int({ error: sourcesError })
  .min(1, { error: sourcesError })
  .max(SOURCES_MAX, { error: sourcesError });

export const questionSchema = z
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
export const optionFields = {
  space: spaceSchema.optional().meta({ description: 'Answers from the files of this space. Default: all spaces.' }),
  content_type: contentTypeSchema.optional().meta({ description: 'Answers from the files of this type.' }),
  metadata: metadataSchema
    .optional()
    .meta({ description: 'Answers from the files that have all of these metadata, with these values.' }),
  filter: fileFilterSchema.optional(),
  history: historySchema.optional().meta({
    description:
      'The conversation before the question, the oldest message first. A chat model rewrites the question so that it can be understood alone. Without a chat model it has no effect.',
  }),
  model: z.string().min(1).max(200).optional().meta({
    description:
      'One of the chat models that the operator offers. Default: the first one. Another name is an error that lists them.',
  }),
  max_tokens: z.int().min(16).max(32_768).optional().meta({
    description: 'The longest answer of the chat model, in its tokens. The limit of the operator applies as well.',
  }),
  answer_format: answerFormatSchema.optional(),
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

/** The holder of a portal token names neither a space nor a model, which may be expensive. */
export const portalQuestionRequestSchema = requestFields
  .omit({ space: true, model: true })
  .refine(hasOneCount, twoCounts);
