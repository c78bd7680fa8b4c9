// Which requests for jobs are still to be met: most were by the direct call, which comes before the event that says the same.
import { encodeId, uuidOf } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import type { JobRequest } from './job.store.js';

const findMade = statement(
  'jobs.find_made',
  'select id, ready from jobs where tenant_id = $1 and id = any ($2::uuid[])',
);

export class UnmetRequestStore {
  constructor(private readonly database: Queryable) {}

  /** Those of a tenant's requests that do not have their job yet, or do not have it ready although they say so. */
  async unmet(tenantId: string, requests: readonly JobRequest[]): Promise<Set<JobRequest>> {
    const ids = requests.map(({ job_id }) => uuidOf('job', job_id));
    const rows = await this.database.query<{ id: string; ready: boolean }>(findMade, [tenantId, ids]);
    const readyById = new Map(rows.map(({ id, ready }) => [encodeId('job', id), ready]));
    const isMet = ({ job_id, ready }: JobRequest) =>
      readyById.get(job_id) === true || (readyById.has(job_id) && !ready);
    return new Set(requests.filter((request) => !isMet(request)));
  }
}
