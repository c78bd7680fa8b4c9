import { searchOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FenceRuns } from './fence-runs.usecase.js';

type RefuseRunsOperation = typeof searchOperations.refuseRuns;

@Controller()
export class CancellationController {
  constructor(private readonly refuse: FenceRuns) {}

  @Operation(searchOperations.refuseRuns)
  refuseRuns(
    input: OperationInput<RefuseRunsOperation>,
    context: CallContext,
  ): Promise<OperationOutput<RefuseRunsOperation>> {
    return this.refuse.execute(input, context);
  }
}
