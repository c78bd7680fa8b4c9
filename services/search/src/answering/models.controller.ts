import { searchOperations, type CallContext, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FindModels } from './find-models.usecase.js';

@Controller()
export class ModelsController {
  constructor(private readonly models: FindModels) {}

  @Operation(searchOperations.findModels)
  findModels(_input: object, context: CallContext): Promise<OperationOutput<typeof searchOperations.findModels>> {
    return this.models.execute(context);
  }
}
