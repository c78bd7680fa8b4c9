import { searchOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { weightOfWords } from '@kiln/platform';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { SearchFiles } from './search-files.usecase.js';

type SearchOperation = typeof searchOperations.search;

@Controller()
export class SearchController {
  constructor(private readonly searchFiles: SearchFiles) {}

  @Operation(searchOperations.search, { weightOf: ({ query }) => weightOfWords(query) })
  search(input: OperationInput<SearchOperation>, context: CallContext): Promise<OperationOutput<SearchOperation>> {
    return this.searchFiles.execute(input, context);
  }
}
