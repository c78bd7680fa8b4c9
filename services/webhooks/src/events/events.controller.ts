import { webhooksOperations, type CallContext, type WebhooksInput, type WebhooksOutput } from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReadEvents } from './read-events.usecase.js';

@Controller()
export class EventsController {
  constructor(private readonly events: ReadEvents) {}

  @Operation(webhooksOperations.getEvent)
  getEvent(input: WebhooksInput<'getEvent'>, context: CallContext): Promise<WebhooksOutput<'getEvent'>> {
    return this.events.get(input, context);
  }

  @Operation(webhooksOperations.listEvents)
  listEvents(input: WebhooksInput<'listEvents'>, context: CallContext): Promise<WebhooksOutput<'listEvents'>> {
    return this.events.list(input, context);
  }
}
