import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CreateFile } from './create-file.usecase.js';
import { CreateUpload } from './create-upload.usecase.js';
import { CreateUploads } from './create-uploads.usecase.js';

@Controller()
export class UploadsController {
  constructor(
    private readonly file: CreateFile,
    private readonly upload: CreateUpload,
    private readonly uploads: CreateUploads,
  ) {}

  @Operation(operations.createFile)
  createFile(input: FilesInput<'createFile'>, context: CallContext): Promise<FilesOutput<'createFile'>> {
    return this.file.execute(input, context);
  }

  @Operation(operations.createUpload)
  createUpload(input: FilesInput<'createUpload'>, context: CallContext): Promise<FilesOutput<'createUpload'>> {
    return this.upload.execute(input, context);
  }

  @Operation(operations.createUploads)
  createUploads(input: FilesInput<'createUploads'>, context: CallContext): Promise<FilesOutput<'createUploads'>> {
    return this.uploads.execute(input, context);
  }
}
