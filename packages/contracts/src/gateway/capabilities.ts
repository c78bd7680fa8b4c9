// What an installation can do for a caller.
import type { z } from 'zod';
import { enginesSchema } from '../jobs/worker.js';
import { modelsSchema } from '../search/models.js';

export const capabilitiesSchema = enginesSchema.extend(modelsSchema.shape);

export type Capabilities = z.output<typeof capabilitiesSchema>;
