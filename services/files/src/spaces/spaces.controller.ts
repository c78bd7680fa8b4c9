import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReadSpaces } from './read-spaces.usecase.js';

@Controller()
export class SpacesController {
  constructor(private readonly readSpaces: ReadSpaces) {}

  @Operation(operations.listSpaces)
  listSpaces(input: FilesInput<'listSpaces'>, context: CallContext): Promise<FilesOutput<'listSpaces'>> {
    return this.readSpaces.list(input, context);
  }

  @Operation(operations.countFiles)
  countFiles(_input: FilesInput<'countFiles'>, context: CallContext): Promise<FilesOutput<'countFiles'>> {
    return this.readSpaces.total(context);
  }

  @Operation(operations.getSpaceStats)
  getSpaceStats(input: FilesInput<'getSpaceStats'>, context: CallContext): Promise<FilesOutput<'getSpaceStats'>> {
    return this.readSpaces.stats(input, context);
  }
}
