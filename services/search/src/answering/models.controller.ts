import { searchOperations, type CallContext, type KeyTest, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { TestModelKey } from '../providers/test-model-key.usecase.js';
import { FindModels } from './find-models.usecase.js';

@Controller()
export class ModelsController {
  constructor(
    private readonly models: FindModels,
    private readonly keys: TestModelKey,
  ) {}

  @Operation(searchOperations.findModels)
  findModels(_input: object, context: CallContext): Promise<SearchOutput<'findModels'>> {
    return this.models.execute(context);
  }

  @Operation(searchOperations.testModelKey)
  testModelKey(input: SearchInput<'testModelKey'>, context: CallContext): Promise<KeyTest> {
    return this.keys.execute(input, context);
  }
}
