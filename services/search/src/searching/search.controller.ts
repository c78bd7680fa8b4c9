import { searchOperations, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { weightOfWords } from '@kiln/platform';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { SearchFiles } from './search-files.usecase.js';

@Controller()
export class SearchController {
  constructor(private readonly searchFiles: SearchFiles) {}

  @Operation(searchOperations.search, { weightOf: ({ query }) => weightOfWords(query) })
  search(input: SearchInput<'search'>, context: CallContext): Promise<SearchOutput<'search'>> {
    return this.searchFiles.execute(input, context);
  }
}
