import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { DeleteFiles } from './delete-files.usecase.js';
import { DeleteSpace } from './delete-space.usecase.js';

@Controller()
export class DeletionController {
  constructor(
    private readonly deleteFilesUseCase: DeleteFiles,
    private readonly deleteSpaceUseCase: DeleteSpace,
  ) {}

  @Operation(operations.deleteFile)
  deleteFile(input: FilesInput<'deleteFile'>, context: CallContext): Promise<FilesOutput<'deleteFile'>> {
    return this.deleteFilesUseCase.one(input, context);
  }

  @Operation(operations.deleteFiles)
  deleteFiles(input: FilesInput<'deleteFiles'>, context: CallContext): Promise<FilesOutput<'deleteFiles'>> {
    return this.deleteFilesUseCase.many(input, context);
  }

  @Operation(operations.deleteSpace)
  deleteSpace(input: FilesInput<'deleteSpace'>, context: CallContext): Promise<FilesOutput<'deleteSpace'>> {
    return this.deleteSpaceUseCase.execute(input, context);
  }
}
