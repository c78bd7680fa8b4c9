import { webhooksOperations, type CallContext, type OperationInput, type OperationOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ListEvents } from './list-events.usecase.js';

type ListEventsOperation = (typeof webhooksOperations)['listEvents'];

@Controller()
export class EventsController {
  constructor(private readonly list: ListEvents) {}

  @Operation(webhooksOperations.listEvents)
  listEvents(
    input: OperationInput<ListEventsOperation>,
    context: CallContext,
  ): Promise<OperationOutput<ListEventsOperation>> {
    return this.list.execute(input, context);
  }
}
