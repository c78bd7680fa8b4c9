import { searchOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { SearchFiles } from './search-files.usecase.js';

type SearchOperation = typeof searchOperations.search;

/** A query of 250 words has 125 or so: a tenant alone has two of them worked on at a time. */
const weightOf = ({ query }: OperationInput<SearchOperation>) =>
  query.length <= 128 ? 0 : Math.ceil(query.length / 12);

@Controller()
export class SearchController {
  constructor(private readonly searchFiles: SearchFiles) {}

  @Operation(searchOperations.search, { weightOf })
  search(input: OperationInput<SearchOperation>, context: CallContext): Promise<OperationOutput<SearchOperation>> {
    return this.searchFiles.execute(input, context);
  }
}
