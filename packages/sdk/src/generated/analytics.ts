// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Analytics {
  constructor(protected readonly transport: Transport) {}

  /**
   * Get an overview.
   *
   * Counts what exists now, as the lists show it. Deleted files, their jobs and their variants are not counted. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/overview`
   */
  getOverview(options: RequestOptions = {}): Promise<Schemas['GetOverviewResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/overview' }, options);
  }

  /**
   * Get files by content type.
   *
   * Counts the files that exist now. The types with the most files come first, at most 1,000. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/file-types`
   */
  getFileTypes(options: RequestOptions = {}): Promise<Schemas['GetFileTypesResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/file-types' }, options);
  }

  /**
   * Get the health of spaces.
   *
   * Counts the files that exist now. The spaces with the most files come first, at most 1,000; spaces without files are left out. `health_score` is the percentage of files that have not failed. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/spaces`
   */
  getSpaceHealth(options: RequestOptions = {}): Promise<Schemas['GetSpaceHealthResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/spaces' }, options);
  }

  /**
   * Get processing times.
   *
   * Returns how long the runs took that completed a job. Covers the last `days` × 24 hours, from the beginning of the first hour. Percentiles are exact to within 2 %. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/processing`
   */
  getProcessing(
    query: Query<'getProcessing'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['GetProcessingResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/processing', query }, options);
  }

  /**
   * Get daily processing times.
   *
   * Returns how long the runs took that completed a job, by the day on which it completed. One entry for each day in UTC, oldest first, today included. Days without activity have zeros. Percentiles are exact to within 2 %. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/processing/daily`
   */
  getDailyTimes(
    query: Query<'getDailyTimes'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['GetDailyTimesResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/processing/daily', query }, options);
  }

  /**
   * Get the results of providers.
   *
   * Counts each time a job completed or failed. Covers the last `days` × 24 hours, from the beginning of the first hour. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/providers`
   */
  getProviders(
    query: Query<'getProviders'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['GetProvidersResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/providers', query }, options);
  }

  /**
   * Get the daily volume.
   *
   * One entry for each day in UTC, oldest first, today included. Days without activity have zeros. Later deletions change nothing. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/volume`
   */
  getVolume(query: Query<'getVolume'> = {}, options: RequestOptions = {}): Promise<Schemas['GetVolumeResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/volume', query }, options);
  }

  /**
   * Get daily trends.
   *
   * One entry for each day in UTC, oldest first, today included. Days without activity have zeros. Later deletions change nothing. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/trends`
   */
  getTrends(query: Query<'getTrends'> = {}, options: RequestOptions = {}): Promise<Schemas['GetTrendsResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/trends', query }, options);
  }

  /**
   * Get the growth of storage.
   *
   * One entry for each day in UTC, oldest first, today included. Days without activity have zeros. A file counts from the day it was added to the day it was deleted, with its present size. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/storage-growth`
   */
  getStorageGrowth(
    query: Query<'getStorageGrowth'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['GetStorageGrowthResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/storage-growth', query }, options);
  }

  /**
   * List recent failures.
   *
   * Returns the failed jobs, newest first. Jobs that were retried, or whose file was deleted, are left out. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/failures`
   */
  listFailures(
    query: Query<'listFailures'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['ListFailuresResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/failures', query }, options);
  }

  /**
   * List the most frequent failures.
   *
   * Counts each time a job failed, by reason, the most frequent first. Later retries and deletions change nothing. An event shows within 5 seconds.
   *
   * Needs the scope `analytics:read`.
   *
   * `GET /v1/analytics/top-failures`
   */
  listTopFailures(
    query: Query<'listTopFailures'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['ListTopFailuresResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/analytics/top-failures', query }, options);
  }
}
