/** The variables of the model server. */
import { availableParallelism } from 'node:os';
import { z } from 'zod';

const listed = (text: string) => text.split(',').map((entry) => entry.trim());

const schema = z.object({
  /** Folders of models, or of several models each. A request that names no model gets the first one that can serve it. */
  KILN_MODELS_FOLDERS: z.string().min(1).transform(listed),
  KILN_MODELS_HOST: z.string().default('127.0.0.1'),
  KILN_MODELS_PORT: z.coerce.number().int().min(0).max(65_535).default(8_090),
  /** Threads that compute. */
  KILN_MODELS_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(Math.max(1, availableParallelism() >> 1)),
  /** Tokens that are computed at once, padding included. More take more memory, and are no faster on a processor. */
  KILN_MODELS_BATCH_TOKENS: z.coerce.number().int().min(64).max(262_144).default(512),
  /** Requests that wait for the model. Further ones are refused with 429. */
  KILN_MODELS_WAITING: z.coerce.number().int().min(1).max(10_000).default(64),
  /** A process that takes more memory ends after its current request, and is started again. */
  KILN_MODELS_MEMORY_BYTES: z.coerce.number().int().min(134_217_728).default(1_073_741_824),
});

export type ModelsConfig = Readonly<z.output<typeof schema>>;

/** @throws an Error that names the variables that are wrong. */
export function loadModelsConfig(): ModelsConfig {
  const result = schema.safeParse(process.env);
  if (result.success) return result.data;
  throw new Error(`The configuration is wrong.\n${z.prettifyError(result.error)}`);
}
