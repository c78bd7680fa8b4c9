// Finds the files that contain all words of a text. The files service calls it, so it must not call the files service.
import { packIds, unpackIds, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { TextIndex } from '../text-index/text-index.service.js';

@Injectable()
export class MatchFiles {
  constructor(@Inject(TextIndex) private readonly index: Pick<TextIndex, 'match' | 'matchAmong'>) {}

  async matchAll(
    { text, space, metadata }: SearchInput<'matchFiles'>,
    { tenantId }: CallContext,
  ): Promise<SearchOutput<'matchFiles'>> {
    return { file_ids: await this.index.match(tenantId, text, { space, metadata }) };
  }

  async matchAmong(
    { text, file_ids: packed }: SearchInput<'matchAmong'>,
    { tenantId }: CallContext,
  ): Promise<SearchOutput<'matchAmong'>> {
    return { file_ids: packIds(await this.index.matchAmong(tenantId, text, unpackIds(packed))) };
  }
}
