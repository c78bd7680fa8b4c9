import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { weightOfWords } from '@kiln/platform';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { DownloadFile } from './download-file.usecase.js';
import { ReadFiles } from './read-files.usecase.js';
import { ReadIndexedFiles } from './read-indexed-files.usecase.js';

/** A list by filter or metadata may read thousands of files. A process works on at most four of them for one tenant. */
const READING_WEIGHT = 64;

const weightOfList = ({ search = '', filter, metadata }: FilesInput<'listFiles'>): number =>
  Math.max(weightOfWords(search), (filter ?? metadata) ? READING_WEIGHT : 0);

@Controller()
export class FilesController {
  constructor(
    private readonly readFiles: ReadFiles,
    private readonly download: DownloadFile,
    private readonly indexedFiles: ReadIndexedFiles,
  ) {}

  @Operation(operations.getFile)
  getFile(input: FilesInput<'getFile'>, context: CallContext): Promise<FilesOutput<'getFile'>> {
    return this.readFiles.get(input, context);
  }

  @Operation(operations.findExistingFiles)
  findExistingFiles(
    input: FilesInput<'findExistingFiles'>,
    context: CallContext,
  ): Promise<FilesOutput<'findExistingFiles'>> {
    return this.readFiles.findExisting(input, context);
  }

  @Operation(operations.listFiles, { weightOf: weightOfList })
  listFiles(input: FilesInput<'listFiles'>, context: CallContext): Promise<FilesOutput<'listFiles'>> {
    return this.readFiles.list(input, context);
  }

  @Operation(operations.listIndexedFiles)
  listIndexedFiles(
    input: FilesInput<'listIndexedFiles'>,
    context: CallContext,
  ): Promise<FilesOutput<'listIndexedFiles'>> {
    return this.indexedFiles.list(input, context);
  }

  @Operation(operations.getIndexedFile)
  getIndexedFile(input: FilesInput<'getIndexedFile'>, context: CallContext): Promise<FilesOutput<'getIndexedFile'>> {
    return this.indexedFiles.get(input, context);
  }

  @Operation(operations.downloadFile)
  downloadFile(input: FilesInput<'downloadFile'>, context: CallContext): Promise<FilesOutput<'downloadFile'>> {
    return this.download.execute(input, context);
  }
}
