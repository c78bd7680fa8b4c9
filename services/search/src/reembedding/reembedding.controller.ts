import { searchOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { StageVectors } from './stage-vectors.usecase.js';
import { SwitchVectors } from './switch-vectors.usecase.js';

type StageOperation = typeof searchOperations.stageVectors;
type SwitchOperation = typeof searchOperations.switchVectors;

@Controller()
export class ReembeddingController {
  constructor(
    private readonly stage: StageVectors,
    private readonly change: SwitchVectors,
  ) {}

  @Operation(searchOperations.stageVectors)
  stageVectors(input: OperationInput<StageOperation>, context: CallContext): Promise<OperationOutput<StageOperation>> {
    return this.stage.execute(input, context);
  }

  @Operation(searchOperations.switchVectors)
  switchVectors(
    input: OperationInput<SwitchOperation>,
    context: CallContext,
  ): Promise<OperationOutput<SwitchOperation>> {
    return this.change.execute(input, context);
  }
}
