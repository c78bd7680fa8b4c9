import { analyticsOperations as operations } from '@kiln/contracts';
import { exampleFile, exampleJob } from './shared.examples.js';
import { operationRoute } from './kinds.route.js';

const PACE = 'An event shows within 5 seconds.';
const WINDOW = 'Covers the last `days` × 24 hours, from the beginning of the first hour.';
const DAYS = 'One entry for each day in UTC, oldest first, today included. Days without activity have zeros.';

const now = [
  operationRoute({
    name: 'getOverview',
    method: 'GET',
    path: '/v1/analytics/overview',
    tag: 'Analytics',
    summary: 'Get an overview',
    description: `Counts what exists now, as the lists show it. Deleted files, their jobs and their variants are not counted. ${PACE}`,
    scope: 'analytics:read',
    operation: operations.getOverview,
    input: () => ({}),
    success: 200,
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
    method: 'GET',
    path: '/v1/analytics/file-types',
    tag: 'Analytics',
    summary: 'Get files by content type',
    description: `Counts the files that exist now. The types with the most files come first, at most 1,000. ${PACE}`,
    scope: 'analytics:read',
    operation: operations.getFileTypes,
    input: () => ({}),
    success: 200,
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
    method: 'GET',
    path: '/v1/analytics/spaces',
    tag: 'Analytics',
    summary: 'Get the health of spaces',
    description:
      `Counts the files that exist now. The spaces with the most files come first, at most 1,000; spaces without files are left out. ` +
      `\`health_score\` is the percentage of files that have not failed. ${PACE}`,
    scope: 'analytics:read',
    operation: operations.getSpaceHealth,
    input: () => ({}),
    success: 200,
    example: {
      response: {
        spaces: [
          { space: 'default', file_count: 1_200, completed: 1_170, failed: 12, success_rate: 0.9898, health_score: 99 },
        ],
      },
    },
  }),
];

const durations = [
  operationRoute({
    name: 'getProcessing',
    method: 'GET',
    path: '/v1/analytics/processing',
    tag: 'Analytics',
    summary: 'Get processing times',
    description: `How long the runs took that completed a job. ${WINDOW} Percentiles are exact to within 2 %. ${PACE}`,
    scope: 'analytics:read',
    query: operations.getProcessing.input,
    operation: operations.getProcessing,
    input: ({ query }) => query,
    success: 200,
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
    name: 'getProviders',
    method: 'GET',
    path: '/v1/analytics/providers',
    tag: 'Analytics',
    summary: 'Get the results of providers',
    description: `Counts each time a job completed or failed. ${WINDOW} ${PACE}`,
    scope: 'analytics:read',
    query: operations.getProviders.input,
    operation: operations.getProviders,
    input: ({ query }) => query,
    success: 200,
    example: {
      response: {
        providers: [{ provider: 'document_extractor', total_jobs: 1_462, success_rate: 0.9795, avg_ms: 803.21 }],
      },
    },
  }),
];

const days = [
  operationRoute({
    name: 'getVolume',
    method: 'GET',
    path: '/v1/analytics/volume',
    tag: 'Analytics',
    summary: 'Get the daily volume',
    description: `${DAYS} Later deletions change nothing. ${PACE}`,
    scope: 'analytics:read',
    query: operations.getVolume.input,
    operation: operations.getVolume,
    input: ({ query }) => query,
    success: 200,
    example: {
      response: { data: [{ date: '2026-11-21', uploads: 84, uploaded_bytes: 173_015_040, processed: 82, failed: 2 }] },
    },
  }),
  operationRoute({
    name: 'getTrends',
    method: 'GET',
    path: '/v1/analytics/trends',
    tag: 'Analytics',
    summary: 'Get daily trends',
    description: `${DAYS} Later deletions change nothing. ${PACE}`,
    scope: 'analytics:read',
    query: operations.getTrends.input,
    operation: operations.getTrends,
    input: ({ query }) => query,
    success: 200,
    example: { response: { data: [{ date: '2026-11-21', uploads: 84, completed: 82, failed: 2 }] } },
  }),
  operationRoute({
    name: 'getStorageGrowth',
    method: 'GET',
    path: '/v1/analytics/storage-growth',
    tag: 'Analytics',
    summary: 'Get the growth of storage',
    description: `${DAYS} A file counts from the day it was added to the day it was deleted, with its present size. ${PACE}`,
    scope: 'analytics:read',
    query: operations.getStorageGrowth.input,
    operation: operations.getStorageGrowth,
    input: ({ query }) => query,
    success: 200,
    example: { response: { data: [{ date: '2026-11-21', total_bytes: 3_205_496_832, delta_bytes: 173_015_040 }] } },
  }),
];

const failures = [
  operationRoute({
    name: 'listFailures',
    method: 'GET',
    path: '/v1/analytics/failures',
    tag: 'Analytics',
    summary: 'List recent failures',
    description: `The failed jobs, newest first, without those that were retried or whose file was deleted. ${PACE}`,
    scope: 'analytics:read',
    query: operations.listFailures.input,
    operation: operations.listFailures,
    input: ({ query }) => query,
    success: 200,
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
    method: 'GET',
    path: '/v1/analytics/top-failures',
    tag: 'Analytics',
    summary: 'List the most frequent failures',
    description: `Counts each time a job failed, by reason, the most frequent first. Later retries and deletions change nothing. ${PACE}`,
    scope: 'analytics:read',
    query: operations.listTopFailures.input,
    operation: operations.listTopFailures,
    input: ({ query }) => query,
    success: 200,
    example: {
      response: { failures: [{ reason: 'encrypted_file', count: 17, last_seen: '2026-11-21 09:30:08' }] },
    },
  }),
];

export const analyticsRoutes = [...now, ...durations, ...days, ...failures];
