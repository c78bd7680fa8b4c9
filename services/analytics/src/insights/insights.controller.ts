import {
  analyticsOperations as operations,
  type CallContext,
  type AnalyticsInput,
  type AnalyticsOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ListFailures } from './list-failures.usecase.js';
import { ShowHistory } from './show-history.usecase.js';
import { ShowOverview } from './show-overview.usecase.js';
import { ShowProcessing } from './show-processing.usecase.js';

@Controller()
export class InsightsController {
  constructor(
    private readonly overview: ShowOverview,
    private readonly history: ShowHistory,
    private readonly processing: ShowProcessing,
    private readonly failures: ListFailures,
  ) {}

  @Operation(operations.getOverview)
  getOverview(_input: AnalyticsInput<'getOverview'>, context: CallContext): Promise<AnalyticsOutput<'getOverview'>> {
    return this.overview.overview(context);
  }

  @Operation(operations.getFileTypes)
  getFileTypes(_input: AnalyticsInput<'getFileTypes'>, context: CallContext): Promise<AnalyticsOutput<'getFileTypes'>> {
    return this.overview.fileTypes(context);
  }

  @Operation(operations.getSpaceHealth)
  getSpaceHealth(
    _input: AnalyticsInput<'getSpaceHealth'>,
    context: CallContext,
  ): Promise<AnalyticsOutput<'getSpaceHealth'>> {
    return this.overview.spaces(context);
  }

  @Operation(operations.getProcessing)
  getProcessing(
    input: AnalyticsInput<'getProcessing'>,
    context: CallContext,
  ): Promise<AnalyticsOutput<'getProcessing'>> {
    return this.processing.processing(input, context);
  }

  @Operation(operations.getDailyTimes)
  getDailyTimes(
    input: AnalyticsInput<'getDailyTimes'>,
    context: CallContext,
  ): Promise<AnalyticsOutput<'getDailyTimes'>> {
    return this.processing.daily(input, context);
  }

  @Operation(operations.getProviders)
  getProviders(input: AnalyticsInput<'getProviders'>, context: CallContext): Promise<AnalyticsOutput<'getProviders'>> {
    return this.processing.providers(input, context);
  }

  @Operation(operations.getVolume)
  getVolume(input: AnalyticsInput<'getVolume'>, context: CallContext): Promise<AnalyticsOutput<'getVolume'>> {
    return this.history.volume(input, context);
  }

  @Operation(operations.getTrends)
  getTrends(input: AnalyticsInput<'getTrends'>, context: CallContext): Promise<AnalyticsOutput<'getTrends'>> {
    return this.history.trends(input, context);
  }

  @Operation(operations.getStorageGrowth)
  getStorageGrowth(
    input: AnalyticsInput<'getStorageGrowth'>,
    context: CallContext,
  ): Promise<AnalyticsOutput<'getStorageGrowth'>> {
    return this.history.storageGrowth(input, context);
  }

  @Operation(operations.listFailures)
  listFailures(input: AnalyticsInput<'listFailures'>, context: CallContext): Promise<AnalyticsOutput<'listFailures'>> {
    return this.failures.failures(input, context);
  }

  @Operation(operations.listTopFailures)
  listTopFailures(
    input: AnalyticsInput<'listTopFailures'>,
    context: CallContext,
  ): Promise<AnalyticsOutput<'listTopFailures'>> {
    return this.failures.topFailures(input, context);
  }
}
