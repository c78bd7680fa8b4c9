import {
  connectionsOperations as operations,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ManageSyncs } from './manage-syncs.usecase.js';
import { PreviewSync } from './preview-sync.usecase.js';

@Controller()
export class SyncsController {
  constructor(
    private readonly syncs: ManageSyncs,
    private readonly preview: PreviewSync,
  ) {}

  @Operation(operations.startSync)
  startSync(input: ConnectionsInput<'startSync'>, context: CallContext): Promise<ConnectionsOutput<'startSync'>> {
    return this.syncs.start(input, context);
  }

  @Operation(operations.cancelSync)
  cancelSync(input: ConnectionsInput<'cancelSync'>, context: CallContext): Promise<ConnectionsOutput<'cancelSync'>> {
    return this.syncs.cancel(input, context);
  }

  @Operation(operations.previewSync)
  previewSync(input: ConnectionsInput<'previewSync'>, context: CallContext): Promise<ConnectionsOutput<'previewSync'>> {
    return this.preview.execute(input, context);
  }

  @Operation(operations.getSyncProgress)
  getSyncProgress(
    input: ConnectionsInput<'getSyncProgress'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'getSyncProgress'>> {
    return this.syncs.progress(input, context);
  }

  @Operation(operations.listSyncs)
  listSyncs(input: ConnectionsInput<'listSyncs'>, context: CallContext): Promise<ConnectionsOutput<'listSyncs'>> {
    return this.syncs.history(input, context);
  }
}
