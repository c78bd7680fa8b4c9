import { databaseVariables, loadConfig, processVariables, storageVariables } from '@kiln/platform';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const variables = z.object({
  ...processVariables,
  ...databaseVariables,
  ...storageVariables,
  /** Where the worker keeps a document while it is read; emptied at start. */
  KILN_SCRATCH_DIR: z.string().default(join(tmpdir(), 'kiln-scratch')),
  /** Jobs one worker runs at a time. */
  KILN_WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(2),
  /** Seconds without a heartbeat after which a job is taken from its worker. */
  KILN_LEASE_SECONDS: z.coerce.number().int().min(5).max(60).default(20),
  /** Memory of one extraction process, above which it is killed. */
  KILN_EXTRACTION_MEMORY_BYTES: z.coerce.number().int().min(134_217_728).default(1_073_741_824),
  /** Milliseconds one document may take to extract. */
  KILN_EXTRACTION_DEADLINE_MS: z.coerce.number().int().min(1_000).default(120_000),
  /** Largest file the local engines take. */
  KILN_EXTRACTION_INPUT_BYTES: z.coerce.number().int().min(1).default(536_870_912),
});

export type JobsConfig = Readonly<z.output<typeof variables>>;

export const loadJobsConfig = (): JobsConfig => loadConfig(variables, process.env);
