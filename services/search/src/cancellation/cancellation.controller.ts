import { searchOperations, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FenceRuns } from './fence-runs.usecase.js';

@Controller()
export class CancellationController {
  constructor(private readonly refuse: FenceRuns) {}

  @Operation(searchOperations.refuseRuns)
  refuseRuns(input: SearchInput<'refuseRuns'>, context: CallContext): Promise<SearchOutput<'refuseRuns'>> {
    return this.refuse.execute(input, context);
  }
}
