import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { UpdateFile } from './update-file.usecase.js';

@Controller()
export class UpdatesController {
  constructor(private readonly update: UpdateFile) {}

  @Operation(operations.updateFile)
  updateFile(input: FilesInput<'updateFile'>, context: CallContext): Promise<FilesOutput<'updateFile'>> {
    return this.update.execute(input, context);
  }
}
