import {
  encodeId,
  EXISTING_FILES_PER_CALL_MAX,
  filesOperations,
  uuidOf,
  type CallContext,
  type FileDetails,
} from '@kiln/contracts';
import { RpcClient } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** Asks the files service which files exist, and what they are. */
@Injectable()
export class ExistingFiles {
  constructor(private readonly rpc: RpcClient) {}

  /** Returns the files that exist. Throws UNAVAILABLE. */
  async among(fileIds: readonly string[], context: CallContext): Promise<ReadonlySet<string>> {
    const existing = new Set<string>();
    for (let start = 0; start < fileIds.length; start += EXISTING_FILES_PER_CALL_MAX) {
      const part = fileIds.slice(start, start + EXISTING_FILES_PER_CALL_MAX).map((id) => encodeId('file', id));
      const found = await this.rpc.call(filesOperations.findExistingFiles, { file_ids: part }, context);
      for (const id of found.file_ids) existing.add(uuidOf('file', id));
    }
    return existing;
  }

  /** Returns the files that exist, by id, at most 1,000. Metadata that is longer than `metadataBytesMax` is null. Throws UNAVAILABLE. */
  async details(
    fileIds: ReadonlySet<string>,
    metadataBytesMax: number,
    context: CallContext,
  ): Promise<ReadonlyMap<string, FileDetails>> {
    if (fileIds.size === 0) return new Map();
    const ids = [...fileIds].map((id) => encodeId('file', id));
    const details = { metadata_bytes_max: metadataBytesMax };
    const { files = [] } = await this.rpc.call(filesOperations.findExistingFiles, { file_ids: ids, details }, context);
    return new Map(files.map((file) => [uuidOf('file', file.file_id), file]));
  }
}
