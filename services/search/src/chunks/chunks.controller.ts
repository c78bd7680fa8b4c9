import { searchOperations, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ListChunks } from './list-chunks.usecase.js';

@Controller()
export class ChunksController {
  constructor(private readonly chunks: ListChunks) {}

  @Operation(searchOperations.listChunks)
  listChunks(input: SearchInput<'listChunks'>, context: CallContext): Promise<SearchOutput<'listChunks'>> {
    return this.chunks.execute(input, context);
  }
}
