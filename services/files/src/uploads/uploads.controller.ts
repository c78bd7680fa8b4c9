import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { RegisterFiles } from './register-files.usecase.js';

@Controller()
export class UploadsController {
  constructor(private readonly files: RegisterFiles) {}

  @Operation(operations.createFile)
  createFile(input: FilesInput<'createFile'>, context: CallContext): Promise<FilesOutput<'createFile'>> {
    return this.files.stored(input, context);
  }

  @Operation(operations.createUpload)
  createUpload(input: FilesInput<'createUpload'>, context: CallContext): Promise<FilesOutput<'createUpload'>> {
    return this.files.upload(input, context);
  }

  @Operation(operations.createUploads)
  createUploads(input: FilesInput<'createUploads'>, context: CallContext): Promise<FilesOutput<'createUploads'>> {
    return this.files.batch(input, context);
  }
}
