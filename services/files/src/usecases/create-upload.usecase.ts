// Registers a file whose bytes come by PUT, and signs the URL they go to.
import {
  sourceKey,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { createdFile, type NewFile } from '../store/file.rows.js';
import { RegisterFile } from './register-file.usecase.js';

type CreateUploadOperation = (typeof filesOperations)['createUpload'];

export class CreateUpload {
  constructor(
    private readonly registerFile: RegisterFile,
    private readonly objects: ObjectStore,
    private readonly signedUrlSeconds: number,
    /** Called when bytes are to be waited for. */
    private readonly onPending: () => void,
  ) {}

  async execute(
    input: OperationInput<CreateUploadOperation>,
    context: CallContext,
  ): Promise<OperationOutput<CreateUploadOperation>> {
    const row = await this.registerFile.execute(input, context);
    this.onPending();
    return signedUpload(row, this.objects, this.signedUrlSeconds);
  }
}

/** The answer to an upload whose bytes are still to come. */
export async function signedUpload(
  row: NewFile,
  objects: Pick<ObjectStore, 'signPut'>,
  expiresSeconds: number,
): Promise<OperationOutput<CreateUploadOperation>> {
  const { url, headers } = await objects.signPut(sourceKey(row.tenant_id, row.id), { expiresSeconds });
  return {
    ...createdFile(row),
    upload_url: url,
    upload_method: 'PUT',
    upload_headers: headers,
    expires_in: expiresSeconds,
  };
}
