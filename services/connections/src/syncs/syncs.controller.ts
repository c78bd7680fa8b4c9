import {
  connectionsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ManageSyncs } from './manage-syncs.usecase.js';
import { PreviewSync } from './preview-sync.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class SyncsController {
  constructor(
    private readonly syncs: ManageSyncs,
    private readonly preview: PreviewSync,
  ) {}

  @Operation(operations.startSync)
  startSync(input: Input<'startSync'>, context: CallContext): Output<'startSync'> {
    return this.syncs.start(input, context);
  }

  @Operation(operations.cancelSync)
  cancelSync(input: Input<'cancelSync'>, context: CallContext): Output<'cancelSync'> {
    return this.syncs.cancel(input, context);
  }

  @Operation(operations.previewSync)
  previewSync(input: Input<'previewSync'>, context: CallContext): Output<'previewSync'> {
    return this.preview.execute(input, context);
  }

  @Operation(operations.getSyncProgress)
  getSyncProgress(input: Input<'getSyncProgress'>, context: CallContext): Output<'getSyncProgress'> {
    return this.syncs.progress(input, context);
  }

  @Operation(operations.listSyncs)
  listSyncs(input: Input<'listSyncs'>, context: CallContext): Output<'listSyncs'> {
    return this.syncs.history(input, context);
  }
}
