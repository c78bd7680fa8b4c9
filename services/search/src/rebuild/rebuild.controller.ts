import { searchOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { RebuildFiles } from './rebuild-files.usecase.js';

type RebuildOperation = typeof searchOperations.rebuildFiles;

@Controller()
export class RebuildController {
  constructor(private readonly rebuild: RebuildFiles) {}

  @Operation(searchOperations.rebuildFiles)
  rebuildFiles(
    input: OperationInput<RebuildOperation>,
    context: CallContext,
  ): Promise<OperationOutput<RebuildOperation>> {
    return this.rebuild.execute(input, context);
  }
}
