// Registers a file whose bytes the gateway has streamed into storage.
import { type CallContext, type OperationInput, type OperationOutput, type filesOperations } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { createdFile } from '../files/file.rows.js';
import { RegisterFile } from './register-file.usecase.js';

type CreateFileOperation = (typeof filesOperations)['createFile'];

@Injectable()
export class CreateFile {
  constructor(private readonly registerFile: RegisterFile) {}

  async execute(
    input: OperationInput<CreateFileOperation>,
    context: CallContext,
  ): Promise<OperationOutput<CreateFileOperation>> {
    const stored = { sizeBytes: input.size_bytes, sha256: input.sha256 };
    return createdFile(await this.registerFile.execute(input, context, stored));
  }
}
