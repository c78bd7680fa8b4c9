import { searchOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { IndexFile } from '../usecases/index-file.usecase.js';
import { RefuseRuns } from '../usecases/refuse-runs.usecase.js';
import { SearchFiles } from '../usecases/search-files.usecase.js';

type Operations = typeof searchOperations;

@Controller()
export class SearchController {
  constructor(
    private readonly indexFileUsecase: IndexFile,
    private readonly searchFiles: SearchFiles,
    private readonly refuseRunsUsecase: RefuseRuns,
  ) {}

  @Operation(searchOperations.indexFile)
  indexFile(
    input: OperationInput<Operations['indexFile']>,
    context: CallContext,
  ): Promise<OperationOutput<Operations['indexFile']>> {
    return this.indexFileUsecase.execute(input, context);
  }

  @Operation(searchOperations.refuseRuns)
  refuseRuns(
    input: OperationInput<Operations['refuseRuns']>,
    context: CallContext,
  ): Promise<OperationOutput<Operations['refuseRuns']>> {
    return this.refuseRunsUsecase.execute(input, context);
  }

  @Operation(searchOperations.search)
  search(
    input: OperationInput<Operations['search']>,
    context: CallContext,
  ): Promise<OperationOutput<Operations['search']>> {
    return this.searchFiles.execute(input, context);
  }
}
