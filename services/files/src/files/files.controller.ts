import {
  filesOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { weightOfWords } from '@kiln/platform';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { DownloadFile } from './download-file.usecase.js';
import { ReadFiles } from './read-files.usecase.js';
import { ReadIndexedFiles } from './read-indexed-files.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class FilesController {
  constructor(
    private readonly readFiles: ReadFiles,
    private readonly download: DownloadFile,
    private readonly indexedFiles: ReadIndexedFiles,
  ) {}

  @Operation(operations.getFile)
  getFile(input: Input<'getFile'>, context: CallContext): Output<'getFile'> {
    return this.readFiles.get(input, context);
  }

  @Operation(operations.findExistingFiles)
  findExistingFiles(input: Input<'findExistingFiles'>, context: CallContext): Output<'findExistingFiles'> {
    return this.readFiles.findExisting(input, context);
  }

  @Operation(operations.listFiles, { weightOf: ({ search }) => weightOfWords(search ?? '') })
  listFiles(input: Input<'listFiles'>, context: CallContext): Output<'listFiles'> {
    return this.readFiles.list(input, context);
  }

  @Operation(operations.listIndexedFiles)
  listIndexedFiles(input: Input<'listIndexedFiles'>, context: CallContext): Output<'listIndexedFiles'> {
    return this.indexedFiles.list(input, context);
  }

  @Operation(operations.getIndexedFile)
  getIndexedFile(input: Input<'getIndexedFile'>, context: CallContext): Output<'getIndexedFile'> {
    return this.indexedFiles.get(input, context);
  }

  @Operation(operations.downloadFile)
  downloadFile(input: Input<'downloadFile'>, context: CallContext): Output<'downloadFile'> {
    return this.download.execute(input, context);
  }
}
