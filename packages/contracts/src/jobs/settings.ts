// The settings of an organization: processing defaults, and the language of searches.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { chunkingSchema } from '../files/chunking.js';
import { processingSchema, storableText, variantTypeSchema } from '../files/schemas.js';

import { searchLanguageSchema } from '../search/languages.js';

const INSTRUCTIONS_CHARACTERS_MAX = 2_000;

const answerInstructionsSchema = storableText(INSTRUCTIONS_CHARACTERS_MAX)
  .refine((text) => text.trim() !== '', { error: 'must not be empty; use null to remove them' })
  .nullable()
  .meta({ description: 'What each answer of a chat model should be like, in plain words. Null: no wishes.' });

export const organizationSettingsSchema = z.object({
  default_embedding_model: z.string(),
  default_chunking: chunkingSchema,
  default_variants: z.array(variantTypeSchema),
  search_language: searchLanguageSchema,
  // Release 0.2 does not send it.
  answer_instructions: answerInstructionsSchema.default(null),
});

export type OrganizationSettings = z.output<typeof organizationSettingsSchema>;

const { embedding_model, chunking, variants } = processingSchema.shape;

/** Omitted settings keep their values. Each field follows the rules of the upload field that it is the default of. */
export const settingsChangesSchema = z.object({
  default_embedding_model: embedding_model,
  default_chunking: chunking.meta({
    description: 'Replaced as a whole. Omitted fields have the standard values.',
  }),
  default_variants: variants,
  search_language: searchLanguageSchema.optional(),
  answer_instructions: answerInstructionsSchema.optional(),
});

/** Called for the live tenant of the organization; settings apply to both modes. */
export const settingsOperations = {
  getSettings: operation({
    subject: 'jobs.getSettings.v1',
    input: z.object({}),
    output: organizationSettingsSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  updateSettings: operation({
    subject: 'jobs.updateSettings.v1',
    input: settingsChangesSchema,
    output: organizationSettingsSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ answer_instructions: instructions }) => (instructions === undefined ? 1 : 2),
  }),
};
