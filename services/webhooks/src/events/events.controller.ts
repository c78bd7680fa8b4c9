import { webhooksOperations, type CallContext, type WebhooksInput, type WebhooksOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ListEvents } from './list-events.usecase.js';

@Controller()
export class EventsController {
  constructor(private readonly list: ListEvents) {}

  @Operation(webhooksOperations.listEvents)
  listEvents(input: WebhooksInput<'listEvents'>, context: CallContext): Promise<WebhooksOutput<'listEvents'>> {
    return this.list.execute(input, context);
  }
}
