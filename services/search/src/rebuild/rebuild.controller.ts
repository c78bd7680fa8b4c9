import { searchOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ChooseTextStore } from './choose-text-store.usecase.js';
import { RebuildFiles } from './rebuild-files.usecase.js';

type ChooseOperation = typeof searchOperations.chooseTextStore;
type RebuildOperation = typeof searchOperations.rebuildFiles;

@Controller()
export class RebuildController {
  constructor(
    private readonly rebuild: RebuildFiles,
    private readonly choose: ChooseTextStore,
  ) {}

  @Operation(searchOperations.chooseTextStore)
  chooseTextStore(
    input: OperationInput<ChooseOperation>,
    context: CallContext,
  ): Promise<OperationOutput<ChooseOperation>> {
    return this.choose.execute(input, context);
  }

  @Operation(searchOperations.rebuildFiles)
  rebuildFiles(
    input: OperationInput<RebuildOperation>,
    context: CallContext,
  ): Promise<OperationOutput<RebuildOperation>> {
    return this.rebuild.execute(input, context);
  }
}
