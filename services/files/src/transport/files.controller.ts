import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CreateUpload } from '../usecases/create-upload.usecase.js';
import { ProcessFile } from '../usecases/process-file.usecase.js';
import { ReadFiles } from '../usecases/read-files.usecase.js';
import { ReadVariants } from '../usecases/read-variants.usecase.js';
import { CreateFile } from '../usecases/create-file.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class FilesController {
  constructor(
    private readonly createFileUseCase: CreateFile,
    private readonly createUploadUseCase: CreateUpload,
    private readonly readFiles: ReadFiles,
    private readonly readVariants: ReadVariants,
    private readonly processFile: ProcessFile,
  ) {}

  @Operation(operations.createFile)
  createFile(input: Input<'createFile'>, context: CallContext): Output<'createFile'> {
    return this.createFileUseCase.execute(input, context);
  }

  @Operation(operations.createUpload)
  createUpload(input: Input<'createUpload'>, context: CallContext): Output<'createUpload'> {
    return this.createUploadUseCase.execute(input, context);
  }

  @Operation(operations.getFile)
  getFile(input: Input<'getFile'>, context: CallContext): Output<'getFile'> {
    return this.readFiles.get(input, context);
  }

  @Operation(operations.listFiles)
  listFiles(input: Input<'listFiles'>, context: CallContext): Output<'listFiles'> {
    return this.readFiles.list(input, context);
  }

  @Operation(operations.listVariants)
  listVariants(input: Input<'listVariants'>, context: CallContext): Output<'listVariants'> {
    return this.readVariants.list(input, context);
  }

  @Operation(operations.getVariant)
  getVariant(input: Input<'getVariant'>, context: CallContext): Output<'getVariant'> {
    return this.readVariants.get(input, context);
  }

  @Operation(operations.beginProcessing)
  beginProcessing(input: Input<'beginProcessing'>, context: CallContext): Output<'beginProcessing'> {
    return this.processFile.begin(input, context);
  }

  @Operation(operations.commitVariant)
  commitVariant(input: Input<'commitVariant'>, context: CallContext): Output<'commitVariant'> {
    return this.processFile.commitVariant(input, context);
  }

  @Operation(operations.finishProcessing)
  finishProcessing(input: Input<'finishProcessing'>, context: CallContext): Output<'finishProcessing'> {
    return this.processFile.finish(input, context);
  }
}
