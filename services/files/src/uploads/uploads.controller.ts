import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CreateFile } from './create-file.usecase.js';
import { CreateUpload } from './create-upload.usecase.js';
import { CreateUploads } from './create-uploads.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class UploadsController {
  constructor(
    private readonly file: CreateFile,
    private readonly upload: CreateUpload,
    private readonly uploads: CreateUploads,
  ) {}

  @Operation(operations.createFile)
  createFile(input: Input<'createFile'>, context: CallContext): Output<'createFile'> {
    return this.file.execute(input, context);
  }

  @Operation(operations.createUpload)
  createUpload(input: Input<'createUpload'>, context: CallContext): Output<'createUpload'> {
    return this.upload.execute(input, context);
  }

  @Operation(operations.createUploads)
  createUploads(input: Input<'createUploads'>, context: CallContext): Output<'createUploads'> {
    return this.uploads.execute(input, context);
  }
}
