import { packIds, searchOperations, unpackIds, type CallContext } from '@kiln/contracts';
import { RpcClient } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { ListQuery } from './file-list.statements.js';

/** Asks the search service which files contain all words of a text. It may name files that do not exist any more. Throws UNAVAILABLE. */
@Injectable()
export class ContentMatches {
  constructor(@Inject(RpcClient) private readonly rpc: Pick<RpcClient, 'call'>) {}

  /** Returns the files with this space and metadata, or null when they are too many. */
  async find(
    text: string,
    { space, metadata }: Pick<ListQuery, 'space' | 'metadata'>,
    context: CallContext,
  ): Promise<string[] | null> {
    const input = { text, ...(space !== undefined && { space }), ...(metadata && { metadata }) };
    const { file_ids: packed } = await this.rpc.call(searchOperations.matchFiles, input, context);
    return packed === null ? null : unpackIds(packed);
  }

  /** Returns the matches among at most 500 files. */
  async among(text: string, fileIds: readonly string[], context: CallContext): Promise<ReadonlySet<string>> {
    if (fileIds.length === 0) return new Set();
    const input = { text, file_ids: packIds(fileIds) };
    const { file_ids: packed } = await this.rpc.call(searchOperations.matchAmong, input, context);
    return new Set(unpackIds(packed));
  }
}
