import { analyticsOperations as operations } from '@kiln/contracts';
import { exampleFile, exampleJob } from './shared.examples.js';
import { operationRoute } from './kinds.route.js';

const PACE = 'An event shows within 5 seconds.';
const WINDOW = 'Covers the last `days` × 24 hours, from the beginning of the first hour.';
const DAYS = 'One entry for each day in UTC, oldest first, today included. Days without activity have zeros.';

const analytics = { method: 'GET', tag: 'Analytics', scope: 'analytics:read' } as const;

export const analyticsRoutes = [
  operationRoute({
    name: 'getOverview',
    ...analytics,
    path: '/v1/analytics/overview',
    summary: 'Get an overview.',
    description: `Counts what exists now, as the lists show it. Deleted files, their jobs and their variants are not counted. ${PACE}`,
    operation: operations.getOverview,
    example: {
      response: {
        total_files: 1_482,
        total_jobs: 1_510,
        total_variants: 4_310,
        total_connections: 2,
        success_rate: 0.98,
        files_by_status: { uploading: 3, uploaded: 12, processing: 5, completed: 1_432, failed: 30 },
      },
    },
  }),
  operationRoute({
    name: 'getFileTypes',
    ...analytics,
    path: '/v1/analytics/file-types',
    summary: 'Get files by content type.',
    description: `Counts the files that exist now. The types with the most files come first, at most 1,000. ${PACE}`,
    operation: operations.getFileTypes,
    example: {
      response: {
        types: [
          { content_type: 'application/pdf', count: 1_203, total_bytes: 3_204_448_256 },
          { content_type: 'text/markdown', count: 279, total_bytes: 1_048_576 },
        ],
      },
    },
  }),
  operationRoute({
    name: 'getSpaceHealth',
    ...analytics,
    path: '/v1/analytics/spaces',
    summary: 'Get the health of spaces.',
    description:
      `Counts the files that exist now. The spaces with the most files come first, at most 1,000; spaces without files are left out. ` +
      `\`health_score\` is the percentage of files that have not failed. ${PACE}`,
    operation: operations.getSpaceHealth,
    example: {
      response: {
        spaces: [
          { space: 'default', file_count: 1_200, completed: 1_170, failed: 12, success_rate: 0.9898, health_score: 99 },
        ],
      },
    },
  }),
  operationRoute({
    name: 'getProcessing',
    ...analytics,
    path: '/v1/analytics/processing',
    summary: 'Get processing times.',
    description: `Returns how long the runs took that completed a job. ${WINDOW} Percentiles are exact to within 2 %. ${PACE}`,
    query: operations.getProcessing.input,
    operation: operations.getProcessing,
    example: {
      response: {
        p50_ms: 412.37,
        p95_ms: 2_870.4,
        p99_ms: 9_310.55,
        by_provider: [{ provider: 'document_extractor', avg_ms: 803.21, count: 1_432 }],
      },
    },
  }),
  operationRoute({
    name: 'getDailyTimes',
    ...analytics,
    path: '/v1/analytics/processing/daily',
    summary: 'Get daily processing times.',
    description: `Returns how long the runs took that completed a job, by the day on which it completed. ${DAYS} Percentiles are exact to within 2 %. ${PACE}`,
    query: operations.getDailyTimes.input,
    operation: operations.getDailyTimes,
    example: {
      response: { data: [{ date: '2026-11-21', p50_ms: 412.37, p95_ms: 2_870.4, p99_ms: 9_310.55, runs: 82 }] },
    },
  }),
  operationRoute({
    name: 'getProviders',
    ...analytics,
    path: '/v1/analytics/providers',
    summary: 'Get the results of providers.',
    description: `Counts each time a job completed or failed. ${WINDOW} ${PACE}`,
    query: operations.getProviders.input,
    operation: operations.getProviders,
    example: {
      response: {
        providers: [{ provider: 'document_extractor', total_jobs: 1_462, success_rate: 0.9795, avg_ms: 803.21 }],
      },
    },
  }),
  operationRoute({
    name: 'getVolume',
    ...analytics,
    path: '/v1/analytics/volume',
    summary: 'Get the daily volume.',
    description: `${DAYS} Later deletions change nothing. ${PACE}`,
    query: operations.getVolume.input,
    operation: operations.getVolume,
    example: {
      response: { data: [{ date: '2026-11-21', uploads: 84, uploaded_bytes: 173_015_040, processed: 82, failed: 2 }] },
    },
  }),
  operationRoute({
    name: 'getTrends',
    ...analytics,
    path: '/v1/analytics/trends',
    summary: 'Get daily trends.',
    description: `${DAYS} Later deletions change nothing. ${PACE}`,
    query: operations.getTrends.input,
    operation: operations.getTrends,
    example: { response: { data: [{ date: '2026-11-21', uploads: 84, completed: 82, failed: 2 }] } },
  }),
  operationRoute({
    name: 'getStorageGrowth',
    ...analytics,
    path: '/v1/analytics/storage-growth',
    summary: 'Get the growth of storage.',
    description: `${DAYS} A file counts from the day it was added to the day it was deleted, with its present size. ${PACE}`,
    query: operations.getStorageGrowth.input,
    operation: operations.getStorageGrowth,
    example: { response: { data: [{ date: '2026-11-21', total_bytes: 3_205_496_832, delta_bytes: 173_015_040 }] } },
  }),
  operationRoute({
    name: 'listFailures',
    ...analytics,
    path: '/v1/analytics/failures',
    summary: 'List recent failures.',
    description: `Returns the failed jobs, newest first. Jobs that were retried, or whose file was deleted, are left out. ${PACE}`,
    query: operations.listFailures.input,
    operation: operations.listFailures,
    example: {
      response: {
        failures: [
          {
            job_id: exampleJob.id,
            file_id: exampleFile.id,
            filename: exampleFile.filename,
            provider: 'document_extractor',
            reason: 'encrypted_file',
            message: 'The file is protected by a password.',
            failed_at: '2026-11-21 09:30:08',
          },
        ],
      },
    },
  }),
  operationRoute({
    name: 'listTopFailures',
    ...analytics,
    path: '/v1/analytics/top-failures',
    summary: 'List the most frequent failures.',
    description: `Counts each time a job failed, by reason, the most frequent first. Later retries and deletions change nothing. ${PACE}`,
    query: operations.listTopFailures.input,
    operation: operations.listTopFailures,
    example: {
      response: { failures: [{ reason: 'encrypted_file', count: 17, last_seen: '2026-11-21 09:30:08' }] },
    },
  }),
];
