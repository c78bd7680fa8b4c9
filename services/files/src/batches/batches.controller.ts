import { filesOperations as operations, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReadBatch } from './read-batch.usecase.js';

@Controller()
export class BatchesController {
  constructor(private readonly readBatch: ReadBatch) {}

  @Operation(operations.getBatch)
  getBatch(input: FilesInput<'getBatch'>, context: CallContext): Promise<FilesOutput<'getBatch'>> {
    return this.readBatch.execute(input, context);
  }
}
