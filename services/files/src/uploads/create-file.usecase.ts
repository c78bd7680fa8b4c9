// Registers a file whose bytes the gateway has streamed into storage.
import type { CallContext, FilesInput, FilesOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { createdFile } from '../files/file.rows.js';
import { RegisterFile } from './register-file.usecase.js';

@Injectable()
export class CreateFile {
  constructor(private readonly registerFile: RegisterFile) {}

  async execute(input: FilesInput<'createFile'>, context: CallContext): Promise<FilesOutput<'createFile'>> {
    const stored = { sizeBytes: input.size_bytes, sha256: input.sha256 };
    return createdFile(await this.registerFile.execute(input, context, stored));
  }
}
