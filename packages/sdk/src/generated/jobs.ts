// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Jobs {
  constructor(protected readonly transport: Transport) {}

  /**
   * Cancel up to 100 jobs.
   *
   * Send either `job_ids` or a `selection` of queued and processing jobs. Each job is cancelled as by a request for it alone; `errors` lists those that were not. Of a larger selection, 100 jobs are cancelled, and `more` is true.
   *
   * Needs the scope `jobs:write`.
   *
   * `POST /v1/jobs/cancel`
   */
  cancelMany(body: Schemas['CancelJobsRequest'], options: RequestOptions = {}): Promise<Schemas['CancelJobsResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/jobs/cancel', body, isKeyed: true }, options);
  }

  /**
   * Retry up to 100 failed jobs.
   *
   * Send either `job_ids` or a `selection` of failed jobs. Each job is retried as by a request for it alone; `errors` lists those that were not. Of a larger selection, 100 jobs are retried, and `more` is true. Jobs that cannot be retried stay in the selection: see `errors`.
   *
   * Needs the scope `jobs:write`.
   *
   * `POST /v1/jobs/retry`
   */
  retryMany(body: Schemas['CancelJobsRequest'], options: RequestOptions = {}): Promise<Schemas['CancelJobsResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/jobs/retry', body, isKeyed: true }, options);
  }

  /**
   * List jobs.
   *
   * Returns the newest jobs first. Filters are combined with AND. By default, Kiln deletes a job 90 days after a newer job of its file has ended.
   *
   * Needs the scope `jobs:read`.
   *
   * `GET /v1/jobs`
   */
  list(
    query: Query<'listJobs'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListJobsResponse'], Schemas['ListJobsResponse']['jobs'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/jobs', query }, 'jobs', options);
  }

  /**
   * Get a job with its timeline.
   *
   * `timeline` lists every step of every attempt: the provider, the duration, and the reason for a failure. An attempt whose worker died or was stopped ends as `interrupted`; the next attempt resumes after the last completed step. With `wait`, the response comes when the job has ended. By default, Kiln deletes a job 90 days after a newer job of its file has ended; the newest job is kept as long as the file.
   *
   * Needs the scope `jobs:read`.
   *
   * `GET /v1/jobs/{id}`
   */
  get(id: string, query: Query<'getJob'> = {}, options: RequestOptions = {}): Promise<Schemas['JobDetail']> {
    return this.transport.json({ method: 'GET', path: '/v1/jobs/{id}', parameters: [id], query }, options);
  }

  /**
   * Cancel a queued or processing job.
   *
   * The job never completes, and later writes of its attempt are discarded. Its file returns to `uploaded`, or to `uploading` if the bytes are missing. Existing variants are kept. Returns 409 if the job has already ended.
   *
   * Needs the scope `jobs:write`.
   *
   * `POST /v1/jobs/{id}/cancel`
   */
  cancel(id: string, options: RequestOptions = {}): Promise<Schemas['CancelJobResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/jobs/{id}/cancel', parameters: [id], isKeyed: true },
      options,
    );
  }

  /**
   * Retry a failed job.
   *
   * The job resumes after the last completed step. Returns 409 if the job has not failed, if its file has a newer job, or if the bytes of the file are not in storage, and 424 if they are in a connected bucket that does not respond.
   *
   * Needs the scope `jobs:write`.
   *
   * `POST /v1/jobs/{id}/retry`
   */
  retry(id: string, options: RequestOptions = {}): Promise<Schemas['RetryJobResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/jobs/{id}/retry', parameters: [id], isKeyed: true },
      options,
    );
  }
}
