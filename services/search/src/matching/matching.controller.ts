import { searchOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { weightOfWords } from '@kiln/platform';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { MatchFiles } from './match-files.usecase.js';

type Ops = typeof searchOperations;

const weightOf = ({ text }: { text: string }) => weightOfWords(text);

@Controller()
export class MatchingController {
  constructor(private readonly files: MatchFiles) {}

  @Operation(searchOperations.matchFiles, { weightOf })
  matchFiles(
    input: OperationInput<Ops['matchFiles']>,
    context: CallContext,
  ): Promise<OperationOutput<Ops['matchFiles']>> {
    return this.files.matchAll(input, context);
  }

  @Operation(searchOperations.matchAmong, { weightOf })
  matchAmong(
    input: OperationInput<Ops['matchAmong']>,
    context: CallContext,
  ): Promise<OperationOutput<Ops['matchAmong']>> {
    return this.files.matchAmong(input, context);
  }
}
