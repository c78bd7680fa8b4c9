import { searchOperations, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { StageVectors } from './stage-vectors.usecase.js';
import { SwitchVectors } from './switch-vectors.usecase.js';

@Controller()
export class ReembeddingController {
  constructor(
    private readonly stage: StageVectors,
    private readonly change: SwitchVectors,
  ) {}

  @Operation(searchOperations.stageVectors)
  stageVectors(input: SearchInput<'stageVectors'>, context: CallContext): Promise<SearchOutput<'stageVectors'>> {
    return this.stage.execute(input, context);
  }

  @Operation(searchOperations.switchVectors)
  switchVectors(input: SearchInput<'switchVectors'>, context: CallContext): Promise<SearchOutput<'switchVectors'>> {
    return this.change.execute(input, context);
  }
}
