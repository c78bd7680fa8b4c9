import {
  encodeId,
  EXISTING_FILES_PER_CALL_MAX,
  filesOperations,
  uuidOf,
  type CallContext,
  type FileDetails,
  type FileFilter,
} from '@kiln/contracts';
import { RpcClient } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

export interface DetailedFiles {
  existing: ReadonlySet<string>;
  details: ReadonlyMap<string, FileDetails>;
}

/** Asks the files service which files exist, and what they are. */
@Injectable()
export class ExistingFiles {
  constructor(private readonly rpc: RpcClient) {}

  /** Returns the files that exist and pass the filter. Throws UNAVAILABLE. */
  async among(fileIds: readonly string[], context: CallContext, filter?: FileFilter): Promise<ReadonlySet<string>> {
    const existing = new Set<string>();
    for (let start = 0; start < fileIds.length; start += EXISTING_FILES_PER_CALL_MAX) {
      const part = fileIds.slice(start, start + EXISTING_FILES_PER_CALL_MAX).map((id) => encodeId('file', id));
      const found = await this.rpc.call(filesOperations.findExistingFiles, { file_ids: part, filter }, context);
      for (const id of found.file_ids) existing.add(uuidOf('file', id));
    }
    return existing;
  }

  /**
   * Returns which files exist and pass the filter, at most 1,000, and what they are. Metadata that is longer than `metadataBytesMax` is null. The
   * files service of release 0.2 sends no details. Throws UNAVAILABLE.
   */
  async detailed(
    fileIds: ReadonlySet<string>,
    metadataBytesMax: number,
    context: CallContext,
    filter?: FileFilter,
  ): Promise<DetailedFiles> {
    if (fileIds.size === 0) return { existing: new Set(), details: new Map() };
    const ids = [...fileIds].map((id) => encodeId('file', id));
    const details = { metadata_bytes_max: metadataBytesMax };
    const found = await this.rpc.call(filesOperations.findExistingFiles, { file_ids: ids, details, filter }, context);
    return {
      existing: new Set(found.file_ids.map((id) => uuidOf('file', id))),
      details: new Map((found.files ?? []).map((file) => [uuidOf('file', file.file_id), file])),
    };
  }
}
