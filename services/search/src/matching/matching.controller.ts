import { searchOperations, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { weightOfWords } from '@kiln/platform';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { MatchFiles } from './match-files.usecase.js';

const weightOf = ({ text }: { text: string }) => weightOfWords(text);

@Controller()
export class MatchingController {
  constructor(private readonly files: MatchFiles) {}

  @Operation(searchOperations.matchFiles, { weightOf })
  matchFiles(input: SearchInput<'matchFiles'>, context: CallContext): Promise<SearchOutput<'matchFiles'>> {
    return this.files.matchAll(input, context);
  }

  @Operation(searchOperations.matchAmong, { weightOf })
  matchAmong(input: SearchInput<'matchAmong'>, context: CallContext): Promise<SearchOutput<'matchAmong'>> {
    return this.files.matchAmong(input, context);
  }
}
