// The history of the last days. Days are calendar days in UTC. Later deletions do not change them, except that deleted bytes
// leave the storage on the day of their deletion.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { queryNumberSchema } from '../core/query-numbers.js';
import { providerSchema } from '../files/schemas.js';

const DAYS_MAX = 365;
const DAYS_DEFAULT = 30;

const countSchema = z.int().min(0);
const dateSchema = z.iso.date().meta({ description: 'A day in UTC.', examples: ['2026-11-21'] });
const millisecondsSchema = z.number().min(0);

const daysQuerySchema = z.object({
  days: queryNumberSchema(1, DAYS_MAX)
    .default(DAYS_DEFAULT)
    .meta({ description: 'The number of days, including today. Days without activity are included.', examples: [30] }),
});
const windowQuerySchema = z.object({
  days: queryNumberSchema(1, DAYS_MAX)
    .default(DAYS_DEFAULT)
    .meta({ description: 'The last `days` × 24 hours, from the beginning of the first hour.', examples: [30] }),
});

const series = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ data: z.array(z.object({ date: dateSchema, ...shape })).max(DAYS_MAX) });

export const volumeSchema = series({
  uploads: countSchema.meta({ description: 'Files added.' }),
  uploaded_bytes: countSchema,
  processed: countSchema.meta({ description: 'Times a job completed.' }),
  failed: countSchema.meta({ description: 'Times a job failed.' }),
});

export const trendsSchema = series({
  uploads: countSchema.meta({ description: 'Files added.' }),
  completed: countSchema.meta({ description: 'Times a job completed.' }),
  failed: countSchema.meta({ description: 'Times a job failed.' }),
});

export const storageGrowthSchema = series({
  total_bytes: z.int().meta({ description: 'Bytes of all files at the end of the day.' }),
  delta_bytes: z.int().meta({ description: 'The bytes of the files added minus those of the files deleted.' }),
});

const percentile = (percent: number) =>
  millisecondsSchema.meta({
    description: `The duration that ${percent} % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none.`,
  });

export const processingTimesSchema = z.object({
  p50_ms: percentile(50),
  p95_ms: percentile(95),
  p99_ms: percentile(99),
  by_provider: z.array(z.object({ provider: providerSchema, avg_ms: millisecondsSchema, count: countSchema })),
});

export const dailyTimesSchema = series({
  p50_ms: percentile(50),
  p95_ms: percentile(95),
  p99_ms: percentile(99),
  runs: countSchema.meta({ description: 'Times a job completed.' }),
});

export const providersSchema = z.object({
  providers: z.array(
    z.object({
      provider: providerSchema,
      total_jobs: countSchema.meta({ description: 'Times a job of this provider completed or failed.' }),
      success_rate: z.number().min(0).max(1),
      avg_ms: millisecondsSchema.meta({ description: 'The mean duration of the runs that completed a job.' }),
    }),
  ),
});

const reading = { errors: [], timeoutMs: 3_000, idempotent: true } as const;

export const historyOperations = {
  getProcessing: operation({
    subject: 'analytics.getProcessing.v1',
    input: windowQuerySchema,
    output: processingTimesSchema,
    ...reading,
  }),
  getDailyTimes: operation({
    subject: 'analytics.getDailyTimes.v1',
    input: daysQuerySchema,
    output: dailyTimesSchema,
    ...reading,
  }),
  getProviders: operation({
    subject: 'analytics.getProviders.v1',
    input: windowQuerySchema,
    output: providersSchema,
    ...reading,
  }),
  getVolume: operation({
    subject: 'analytics.getVolume.v1',
    input: daysQuerySchema,
    output: volumeSchema,
    ...reading,
  }),
  getTrends: operation({
    subject: 'analytics.getTrends.v1',
    input: daysQuerySchema,
    output: trendsSchema,
    ...reading,
  }),
  getStorageGrowth: operation({
    subject: 'analytics.getStorageGrowth.v1',
    input: daysQuerySchema,
    output: storageGrowthSchema,
    ...reading,
  }),
};
