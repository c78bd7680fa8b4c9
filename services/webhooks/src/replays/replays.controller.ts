import {
  webhooksOperations as operations,
  type CallContext,
  type WebhooksInput,
  type WebhooksOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ReplayEvents } from './replay-events.usecase.js';

@Controller()
export class ReplaysController {
  constructor(private readonly events: ReplayEvents) {}

  @Operation(operations.replayEvents)
  replayEvents(input: WebhooksInput<'replayEvents'>, context: CallContext): Promise<WebhooksOutput<'replayEvents'>> {
    return this.events.replay(input, context);
  }

  @Operation(operations.recoverDeliveries)
  recoverDeliveries(
    input: WebhooksInput<'recoverDeliveries'>,
    context: CallContext,
  ): Promise<WebhooksOutput<'recoverDeliveries'>> {
    return this.events.recover(input, context);
  }
}
