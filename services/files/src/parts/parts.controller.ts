import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { AbortPartUpload } from './abort-part-upload.usecase.js';
import { BeginPartUpload } from './begin-part-upload.usecase.js';
import { CompletePartUpload } from './complete-part-upload.usecase.js';
import { ReadPartUpload } from './read-part-upload.usecase.js';
import { SignParts } from './sign-parts.usecase.js';

@Controller()
export class PartsController {
  constructor(
    private readonly beginUpload: BeginPartUpload,
    private readonly sign: SignParts,
    private readonly read: ReadPartUpload,
    private readonly completeUpload: CompletePartUpload,
    private readonly abortUpload: AbortPartUpload,
  ) {}

  @Operation(operations.beginPartUpload)
  begin(input: FilesInput<'beginPartUpload'>, context: CallContext): Promise<FilesOutput<'beginPartUpload'>> {
    return this.beginUpload.execute(input, context);
  }

  @Operation(operations.signParts)
  signParts(input: FilesInput<'signParts'>, context: CallContext): Promise<FilesOutput<'signParts'>> {
    return this.sign.execute(input, context);
  }

  @Operation(operations.getPartUpload)
  get(input: FilesInput<'getPartUpload'>, context: CallContext): Promise<FilesOutput<'getPartUpload'>> {
    return this.read.execute(input, context);
  }

  @Operation(operations.completePartUpload)
  complete(input: FilesInput<'completePartUpload'>, context: CallContext): Promise<FilesOutput<'completePartUpload'>> {
    return this.completeUpload.execute(input, context);
  }

  @Operation(operations.abortPartUpload)
  abort(input: FilesInput<'abortPartUpload'>, context: CallContext): Promise<FilesOutput<'abortPartUpload'>> {
    return this.abortUpload.execute(input, context);
  }
}
