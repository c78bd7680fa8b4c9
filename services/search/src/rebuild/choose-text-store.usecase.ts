// Chooses where the text index of a tenant is.
import { badRequest, type CallContext, type SearchInput } from '@kiln/contracts';
import { Database } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { chooseStore } from '../opensearch/move-tail.statements.js';
import { REMOTE_INDEX, type RemoteIndex } from '../text-index/remote-index.port.js';

@Injectable()
export class ChooseTextStore {
  constructor(
    private readonly database: Database,
    @Inject(REMOTE_INDEX) private readonly remote: RemoteIndex | null,
  ) {}

  async execute({ store }: SearchInput<'chooseTextStore'>, { tenantId }: CallContext): Promise<Record<string, never>> {
    if (store === 'opensearch' && this.remote === null) {
      throw badRequest('store: OpenSearch is not configured. Set KILN_SEARCH_URL for the search service.');
    }
    await this.database.query(chooseStore, [tenantId, store]);
    return {};
  }
}
