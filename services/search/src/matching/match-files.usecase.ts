// Finds the files that contain all words of a text. The files service calls it, so it must not call the files service.
import {
  packIds,
  unpackIds,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type searchOperations,
} from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { TEXT_INDEX, type TextIndex } from '../text-index/text-index.port.js';

type Ops = typeof searchOperations;

@Injectable()
export class MatchFiles {
  constructor(@Inject(TEXT_INDEX) private readonly index: Pick<TextIndex, 'match' | 'matchAmong'>) {}

  async matchAll(
    { text, space, metadata }: OperationInput<Ops['matchFiles']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['matchFiles']>> {
    return { file_ids: await this.index.match(tenantId, text, { space, metadata }) };
  }

  async matchAmong(
    { text, file_ids: packed }: OperationInput<Ops['matchAmong']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['matchAmong']>> {
    return { file_ids: packIds(await this.index.matchAmong(tenantId, text, unpackIds(packed))) };
  }
}
