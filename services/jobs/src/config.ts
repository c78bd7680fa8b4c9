import {
  checkProviderVariables,
  checkStorageVariables,
  databaseVariables,
  embeddingVariables,
  encryptionVariables,
  extractorVariables,
  loadConfig,
  outboundVariables,
  processVariables,
  storageVariables,
} from '@kiln/platform';
import { z } from 'zod';
import { checkOcrData } from './extractor/check-ocr-data.service.js';
import { extractionVariables } from './extractor/extraction.config.js';
import { parseProviderLimits } from './claims/running-limits.domain.js';

/** Defaults of the variables below. */
export const LEASE_SECONDS = 20;
export const WORKER_CONCURRENCY = 6;
export const TEXT_CONCURRENCY = 8;
/** Beside all else, this fits into the memory of 1 GiB that a worker has in k8s and compose: a text needs up to three times its bytes. */
export const TEXT_BYTES = 134_217_728;
/** Further runs on small text in each worker, for tenants without a run in it. */
export const RESERVED_TEXT_RUNS = 2;

/** Of the callbacks of organizations' own extractors. */
export const callbackVariables = {
  /** The address of the gateway, as extractors reach it. Without one, they must answer at once. */
  KILN_CALLBACK_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Seconds that an extractor may take for a file. */
  KILN_EXTRACTOR_CALLBACK_SECONDS: z.coerce.number().int().min(10).max(86_400).default(600),
};

const shared = z.object({
  ...processVariables,
  ...databaseVariables,
  ...encryptionVariables,
  /** For the bytes of connected buckets, and for organizations' own extractors. Remote engines are reached through the proxy, too. */
  ...outboundVariables,
  /** The first is what GET /v1/org/settings shows as embedding model to an organization that has set none. */
  KILN_EMBEDDING_MODEL: embeddingVariables.KILN_EMBEDDING_MODEL,
  /** Seconds without a heartbeat after which a job is taken from its worker. */
  KILN_LEASE_SECONDS: z.coerce.number().int().min(5).max(60).default(LEASE_SECONDS),
  /** Days after which a job is deleted, counted from the end of a newer job of its file. */
  KILN_JOBS_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(90),
});

function providerLimits(text: string, context: z.RefinementCtx): ReadonlyMap<string, number> {
  const { limits, wrong } = parseProviderLimits(text);
  for (const pair of wrong) context.addIssue({ code: 'custom', message: `${pair} is not <provider>=<number from 1>` });
  return limits;
}

const worker = shared
  .extend({
    ...storageVariables,
    ...extractorVariables,
    ...embeddingVariables,
    ...extractionVariables,
    ...callbackVariables,
    /** Extractors that read documents instead of child processes of this worker: the URL of a service in front of them. */
    KILN_EXTRACTOR_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** Jobs on small text that one worker runs at a time. They proceed in lockstep and share calls and commits; each waits for all of them. */
    KILN_WORKER_TEXT_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(TEXT_CONCURRENCY),
    /** Jobs on other files that one worker runs at a time. Most of a job is waiting for storage and services. */
    KILN_WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(WORKER_CONCURRENCY),
    /** Bytes of texts over 1 MiB that the runs of a worker hold in memory at a time. A larger text is held alone. */
    KILN_WORKER_TEXT_BYTES: z.coerce.number().int().min(1_048_576).default(TEXT_BYTES),
    /** Seconds that a run of a job may take, with all of its steps. */
    KILN_RUN_DEADLINE_SECONDS: z.coerce.number().int().min(60).max(86_400).default(14_400),
    /** Seconds for which a job of a batch lets single uploads of its tenant go first. */
    KILN_BATCH_WAIT_SECONDS: z.coerce.number().int().min(0).max(86_400).default(600),
    /** Jobs of one tenant that run at a time over all workers; without it, as many as there is room for. */
    KILN_TENANT_RUNNING_MAX: z.coerce.number().int().min(1).optional(),
    /** Jobs of a provider that run at a time over all workers and tenants: `audio_extractor=2,image_extractor=8`. */
    KILN_PROVIDER_RUNNING_MAX: z.string().default('').transform(providerLimits),
  })
  .superRefine(checkStorageVariables)
  .superRefine(checkProviderVariables)
  .superRefine(checkOcrData);

export type WorkerConfig = Readonly<z.output<typeof worker>>;
/** Injection tokens of the configuration, and of the part for the worker role. */
export const JOBS_CONFIG = Symbol('jobs config');
export const WORKER_CONFIG = Symbol('worker config');

/** `worker` is null in the API role, which needs no storage and is given no keys to it. */
export type JobsConfig = Readonly<z.output<typeof shared>> & { readonly worker: WorkerConfig | null };

export function loadJobsConfig(): JobsConfig {
  const { KILN_ROLE: role } = loadConfig(z.object({ KILN_ROLE: processVariables.KILN_ROLE }), process.env);
  if (role === 'api') return { ...loadConfig(shared, process.env), worker: null };
  const config = loadConfig(worker, process.env);
  return { ...config, worker: config };
}
