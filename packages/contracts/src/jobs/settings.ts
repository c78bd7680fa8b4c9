// What an organization's work is done with where a request does not say.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { chunkingSchema, processingSchema, variantTypeSchema } from '../files/schemas.js';

export const organizationSettingsSchema = z.object({
  default_embedding_model: z.string(),
  default_chunking: chunkingSchema,
  default_variants: z.array(variantTypeSchema),
});

export type OrganizationSettings = z.output<typeof organizationSettingsSchema>;

const { embedding_model, chunking, variants } = processingSchema.shape;

/** What is left out stays as it is. Each field obeys the rules of the upload field that it stands in for. */
export const settingsChangesSchema = z.object({
  default_embedding_model: embedding_model,
  default_chunking: chunking,
  default_variants: variants,
});

/** Asked in the name of the organization's live plane: settings hold for both. */
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
  }),
};
