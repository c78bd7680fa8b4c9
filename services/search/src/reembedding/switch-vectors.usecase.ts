// Switches files to their staged vectors, one file per transaction. A search finds each file by its old vectors or by its new ones.
import { uuidOf, type CallContext, type SwitchedFile, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { StagedVectorsStore } from '../vectors/staged-vectors.store.js';

@Injectable()
export class SwitchVectors {
  constructor(private readonly staged: StagedVectorsStore) {}

  async execute(
    { file_ids: fileIds, model }: SearchInput<'switchVectors'>,
    { tenantId }: CallContext,
  ): Promise<SearchOutput<'switchVectors'>> {
    const files: SwitchedFile[] = [];
    for (const id of fileIds) {
      const isSwitched = await this.staged.switch(tenantId, uuidOf('file', id), model);
      files.push({ file_id: id, outcome: isSwitched ? 'switched' : 'unchanged' });
    }
    return { files };
  }
}
