// The requests to own extractors, in the rows of their jobs. Writes of a run name its fencing token; a result names the extraction, which a
// new request replaces. The row decides between a result and the end of the run that waits for it, so neither is missed.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { makeDue } from '../claims/tenant-queue.rows.js';
import type { Lane } from '../claims/lane.domain.js';
import type { JobEntity } from '../jobs/job.entity.js';
import { HELD } from '../leases/lease.rows.js';
import type { Lease } from '../leases/lease.store.js';
import type { AskedExtraction } from './asked-extraction.domain.js';

/** SQL: the extraction $3 of the job that $1 and $2 name, while its result is wanted. */
const WANTED = `tenant_id = $1 and id = $2 and extraction ->> 'id' = $3 and status in ('queued', 'processing')
     and (extraction ->> 'deadline_at')::timestamptz > now()`;

const find = statement('extractions.find', `select extraction from jobs where ${HELD}`);
const put = statement('extractions.put', `update jobs set extraction = $4 where ${HELD} returning 1`);
const accept = statement(
  'extractions.accept',
  `update jobs set extraction = extraction || '{"accepted": true}' where ${HELD} and extraction ->> 'id' = $4`,
);
const wanted = statement('extractions.wanted', `select file_id, extraction from jobs where ${WANTED}`);
/** Returns the lane of a job that is due now. */
const answer = statement(
  'extractions.answer',
  `with answered as (
     update jobs set extraction = extraction || jsonb_build_object('result_key', $4::text),
       due_at = case when status = 'queued' then now() else due_at end
     where ${WANTED} and (not extraction ? 'result_key' or extraction ->> 'result_key' = $4) returning tenant_id, lane, status, due_at
   ), queued as (
     select * from answered where status = 'queued'
   ), due as (${makeDue('queued')})
   select lane, status from answered`,
);

export type WantedExtraction = Pick<JobEntity, 'file_id'> & { extraction: AskedExtraction };

export interface ExtractionPlace {
  tenantId: string;
  jobId: string;
  extractionId: string;
}

const placed = ({ tenantId, jobId, extractionId }: ExtractionPlace) => [tenantId, jobId, extractionId];
const held = ({ tenantId, jobId, fence }: Lease) => [tenantId, jobId, fence];

@Injectable()
export class ExtractionStore {
  constructor(private readonly database: Database) {}

  /** Returns the request of the job. Null without a request, or when the run has lost its lease. */
  async find(lease: Lease): Promise<AskedExtraction | null> {
    const [row] = await this.database.query<Pick<JobEntity, 'extraction'>>(find, held(lease));
    return row?.extraction ?? null;
  }

  /** Replaces the request of the job. False when the run has lost its lease. */
  async put(lease: Lease, asked: AskedExtraction | null): Promise<boolean> {
    return (await this.database.query(put, [...held(lease), asked])).length > 0;
  }

  /** Records that the extractor answers later. Nothing else changes: its result may have arrived before. */
  async accept(lease: Lease, extractionId: string): Promise<void> {
    await this.database.query(accept, [...held(lease), extractionId]);
  }

  /** Returns the extraction while a job waits for its result, else null. */
  async findWanted(place: ExtractionPlace): Promise<WantedExtraction | null> {
    return (await this.database.query<WantedExtraction>(wanted, placed(place)))[0] ?? null;
  }

  /** Records the first result; null for any later one. Idempotent. A job that waits in the queue becomes due. */
  async answer(place: ExtractionPlace, resultKey: string): Promise<{ lane: Lane; isDue: boolean } | null> {
    const rows = await this.database.query<Pick<JobEntity, 'lane' | 'status'>>(answer, [...placed(place), resultKey]);
    return rows[0] ? { lane: rows[0].lane, isDue: rows[0].status === 'queued' } : null;
  }
}
