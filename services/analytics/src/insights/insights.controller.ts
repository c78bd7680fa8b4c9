import {
  analyticsOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ListFailures } from './list-failures.usecase.js';
import { ShowHistory } from './show-history.usecase.js';
import { ShowOverview } from './show-overview.usecase.js';
import { ShowProcessing } from './show-processing.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class InsightsController {
  constructor(
    private readonly overview: ShowOverview,
    private readonly history: ShowHistory,
    private readonly processing: ShowProcessing,
    private readonly failures: ListFailures,
  ) {}

  @Operation(operations.getOverview)
  getOverview(_input: Input<'getOverview'>, context: CallContext): Output<'getOverview'> {
    return this.overview.overview(context);
  }

  @Operation(operations.getFileTypes)
  getFileTypes(_input: Input<'getFileTypes'>, context: CallContext): Output<'getFileTypes'> {
    return this.overview.fileTypes(context);
  }

  @Operation(operations.getSpaceHealth)
  getSpaceHealth(_input: Input<'getSpaceHealth'>, context: CallContext): Output<'getSpaceHealth'> {
    return this.overview.spaces(context);
  }

  @Operation(operations.getProcessing)
  getProcessing(input: Input<'getProcessing'>, context: CallContext): Output<'getProcessing'> {
    return this.processing.processing(input, context);
  }

  @Operation(operations.getProviders)
  getProviders(input: Input<'getProviders'>, context: CallContext): Output<'getProviders'> {
    return this.processing.providers(input, context);
  }

  @Operation(operations.getVolume)
  getVolume(input: Input<'getVolume'>, context: CallContext): Output<'getVolume'> {
    return this.history.volume(input, context);
  }

  @Operation(operations.getTrends)
  getTrends(input: Input<'getTrends'>, context: CallContext): Output<'getTrends'> {
    return this.history.trends(input, context);
  }

  @Operation(operations.getStorageGrowth)
  getStorageGrowth(input: Input<'getStorageGrowth'>, context: CallContext): Output<'getStorageGrowth'> {
    return this.history.storageGrowth(input, context);
  }

  @Operation(operations.listFailures)
  listFailures(input: Input<'listFailures'>, context: CallContext): Output<'listFailures'> {
    return this.failures.failures(input, context);
  }

  @Operation(operations.listTopFailures)
  listTopFailures(input: Input<'listTopFailures'>, context: CallContext): Output<'listTopFailures'> {
    return this.failures.topFailures(input, context);
  }
}
