import { analyticsOperations, type CallContext, type AnalyticsInput, type AnalyticsOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ListRequests } from './list-requests.usecase.js';

@Controller()
export class RequestsController {
  constructor(private readonly list: ListRequests) {}

  @Operation(analyticsOperations.listRequests)
  listRequests(input: AnalyticsInput<'listRequests'>, context: CallContext): Promise<AnalyticsOutput<'listRequests'>> {
    return this.list.execute(input, context);
  }
}
