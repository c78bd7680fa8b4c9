// Finds the files that contain all words of a text. The files service calls these operations, so they must not call the files service.
import {
  packIds,
  searchOperations,
  unpackIds,
  type CallContext,
  type SearchInput,
  type SearchOutput,
} from '@kiln/contracts';
import { weightOfWords } from '@kiln/platform';
import { Operation } from '@kiln/platform/nest';
import { Controller, Inject } from '@nestjs/common';
import { TextIndex } from '../text-index/text-index.service.js';

const weightOf = ({ text }: { text: string }) => weightOfWords(text);

@Controller()
export class MatchingController {
  constructor(@Inject(TextIndex) private readonly index: Pick<TextIndex, 'match' | 'matchAmong'>) {}

  @Operation(searchOperations.matchFiles, { weightOf })
  async matchFiles(input: SearchInput<'matchFiles'>, { tenantId }: CallContext): Promise<SearchOutput<'matchFiles'>> {
    const { text, space, metadata } = input;
    return { file_ids: await this.index.match(tenantId, text, { space, metadata }) };
  }

  @Operation(searchOperations.matchAmong, { weightOf })
  async matchAmong(input: SearchInput<'matchAmong'>, { tenantId }: CallContext): Promise<SearchOutput<'matchAmong'>> {
    return { file_ids: packIds(await this.index.matchAmong(tenantId, input.text, unpackIds(input.file_ids))) };
  }
}
