// Refuses runs of a cancelled job: nothing that they send afterwards is indexed.
import {
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type searchOperations,
} from '@kiln/contracts';
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { RunFenceStore } from './run-fence.store.js';

type RefuseRunsOperation = typeof searchOperations.refuseRuns;
type Refusal = OperationInput<RefuseRunsOperation>;

@Injectable()
export class FenceRuns {
  constructor(
    private readonly database: Database,
    private readonly refusedRuns: RunFenceStore,
  ) {}

  async execute(refusal: Refusal, { tenantId }: CallContext): Promise<OperationOutput<RefuseRunsOperation>> {
    await this.database.transaction((transaction) => this.executeWithin(transaction, tenantId, refusal));
    return {};
  }

  executeWithin(transaction: Transaction, tenantId: string, { file_id, job_id, fence }: Refusal): Promise<void> {
    const run = { jobId: uuidOf('job', job_id), fence };
    return this.refusedRuns.refuse(transaction, tenantId, uuidOf('file', file_id), run);
  }
}
