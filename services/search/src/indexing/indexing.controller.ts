import { searchOperations, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { IndexFiles } from './index-files.usecase.js';

@Controller()
export class IndexingController {
  constructor(private readonly index: IndexFiles) {}

  @Operation(searchOperations.indexFiles)
  indexFiles(input: SearchInput<'indexFiles'>, context: CallContext): Promise<SearchOutput<'indexFiles'>> {
    return this.index.execute(input, context);
  }
}
