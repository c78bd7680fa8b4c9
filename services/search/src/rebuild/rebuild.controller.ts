import { searchOperations, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ChooseTextStore } from './choose-text-store.usecase.js';
import { RebuildFiles } from './rebuild-files.usecase.js';

@Controller()
export class RebuildController {
  constructor(
    private readonly rebuild: RebuildFiles,
    private readonly choose: ChooseTextStore,
  ) {}

  @Operation(searchOperations.chooseTextStore)
  chooseTextStore(
    input: SearchInput<'chooseTextStore'>,
    context: CallContext,
  ): Promise<SearchOutput<'chooseTextStore'>> {
    return this.choose.execute(input, context);
  }

  @Operation(searchOperations.rebuildFiles)
  rebuildFiles(input: SearchInput<'rebuildFiles'>, context: CallContext): Promise<SearchOutput<'rebuildFiles'>> {
    return this.rebuild.execute(input, context);
  }
}
