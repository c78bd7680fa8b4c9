// Finds the files that contain all words of a text. The files service calls it, so it must not call the files service.
import {
  packIds,
  unpackIds,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type searchOperations,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { cleanRecord } from '../analysis/domain/clean-text.js';
import { MergeRequests } from '../merging/merge-requests.service.js';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { MatchStore } from './match.store.js';

type Ops = typeof searchOperations;

@Injectable()
export class MatchFiles {
  constructor(
    private readonly index: MatchStore,
    private readonly mergeRequests: MergeRequests,
  ) {}

  async matchAll(
    { text, space, metadata }: OperationInput<Ops['matchFiles']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['matchFiles']>> {
    const facets = facetsOfFilter({
      space,
      contentType: undefined,
      metadata: metadata === undefined ? undefined : cleanRecord(metadata),
    });
    const { packed, unmerged } = await this.index.match(tenantId, text, facets);
    this.mergeRequests.afterSearch(tenantId, unmerged);
    return { file_ids: packed };
  }

  async matchAmong(
    { text, file_ids: packed }: OperationInput<Ops['matchAmong']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['matchAmong']>> {
    return { file_ids: packIds(await this.index.matchAmong(tenantId, text, unpackIds(packed))) };
  }
}
