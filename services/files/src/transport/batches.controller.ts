import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { CreateUploads } from '../usecases/create-uploads.usecase.js';
import { DownloadFile } from '../usecases/download-file.usecase.js';
import { ProcessFiles } from '../usecases/process-files.usecase.js';
import { ReadBatch } from '../usecases/read-batch.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class BatchesController {
  constructor(
    private readonly createUploadsUseCase: CreateUploads,
    private readonly readBatch: ReadBatch,
    private readonly processFilesUseCase: ProcessFiles,
    private readonly download: DownloadFile,
  ) {}

  @Operation(operations.createUploads)
  createUploads(input: Input<'createUploads'>, context: CallContext): Output<'createUploads'> {
    return this.createUploadsUseCase.execute(input, context);
  }

  @Operation(operations.getBatch)
  getBatch(input: Input<'getBatch'>, context: CallContext): Output<'getBatch'> {
    return this.readBatch.execute(input, context);
  }

  @Operation(operations.processFiles)
  processFiles(input: Input<'processFiles'>, context: CallContext): Output<'processFiles'> {
    return this.processFilesUseCase.execute(input, context);
  }

  @Operation(operations.downloadFile)
  downloadFile(input: Input<'downloadFile'>, context: CallContext): Output<'downloadFile'> {
    return this.download.execute(input, context);
  }
}
