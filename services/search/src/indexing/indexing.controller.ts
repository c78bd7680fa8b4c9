import { searchOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { IndexFiles } from './index-files.usecase.js';

type IndexFilesOperation = typeof searchOperations.indexFiles;

@Controller()
export class IndexingController {
  constructor(private readonly index: IndexFiles) {}

  @Operation(searchOperations.indexFiles)
  indexFiles(
    input: OperationInput<IndexFilesOperation>,
    context: CallContext,
  ): Promise<OperationOutput<IndexFilesOperation>> {
    return this.index.execute(input, context);
  }
}
