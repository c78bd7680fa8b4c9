// Finds the requested jobs that are still missing. The direct call has created most of them before the event arrives.
import { encodeId, uuidOf } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { JobRequest } from '../jobs/job.store.js';

const findMade = statement(
  'jobs.find_made',
  'select id, ready from jobs where tenant_id = $1 and id = any ($2::uuid[])',
);

@Injectable()
export class MissingJobStore {
  constructor(private readonly database: Database) {}

  /** Requests whose job does not exist yet, or is not ready although the request is. */
  async unmet(tenantId: string, requests: readonly JobRequest[]): Promise<Set<JobRequest>> {
    const ids = requests.map(({ job_id }) => uuidOf('job', job_id));
    const rows = await this.database.query<{ id: string; ready: boolean }>(findMade, [tenantId, ids]);
    const readyById = new Map(rows.map(({ id, ready }) => [encodeId('job', id), ready]));
    const isMet = ({ job_id, ready }: JobRequest) =>
      readyById.get(job_id) === true || (readyById.has(job_id) && !ready);
    return new Set(requests.filter((request) => !isMet(request)));
  }
}
