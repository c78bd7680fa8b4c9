// An upload has replaced the content of a file: removes the index of the former content. The index of the new content stays, if its run
// was faster than the event.
import { Injectable } from '@nestjs/common';
import { afterJob } from '../indexing/run.domain.js';
import { IndexStore } from '../text-index/index.store.js';

interface ReplacedFile {
  tenantId: string;
  fileId: string;
  /** The number of the last job of the former content. */
  formerJobNumber: number;
}

@Injectable()
export class ClearReplaced {
  constructor(private readonly index: IndexStore) {}

  /** Idempotent. */
  async execute(files: readonly ReplacedFile[]): Promise<void> {
    for (const { tenantId, fileId, formerJobNumber } of files)
      await this.index.clear(tenantId, fileId, afterJob(formerJobNumber));
  }
}
