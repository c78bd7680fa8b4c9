// Files were renamed or moved, or have other metadata. Their index is made again, so that searches and filters find the current values.
import { internalContext, searchOperations } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { RebuildFiles } from './rebuild-files.usecase.js';

interface UpdatedFile {
  tenantId: string;
  fileId: string;
  requestId: string;
}

@Injectable()
export class ReindexFiles {
  constructor(
    private readonly rebuild: RebuildFiles,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Idempotent. A file that is not indexed stays so. */
  async execute(files: readonly UpdatedFile[]): Promise<void> {
    const newest = new Map(files.map((file) => [`${file.tenantId} ${file.fileId}`, file]));
    for (const { tenantId, fileId, requestId } of newest.values()) {
      const { timeoutMs } = searchOperations.rebuildFiles;
      const context = internalContext('search', { tenantId, requestId, timeoutMs });
      const { files: outcomes } = await this.rebuild.execute({ file_ids: [fileId] }, context);
      for (const { problem } of outcomes) {
        if (problem !== null) this.logger.warn({ tenantId, fileId, problem }, 'the index has former values of a file');
      }
    }
  }
}
