import {
  webhooksOperations as operations,
  type CallContext,
  type WebhooksInput,
  type WebhooksOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { SendDelivery } from './send-delivery.usecase.js';
import { ReadDeliveries } from './read-deliveries.usecase.js';

@Controller()
export class DeliveriesController {
  constructor(
    private readonly again: SendDelivery,
    private readonly read: ReadDeliveries,
  ) {}

  @Operation(operations.testWebhook)
  testWebhook(input: WebhooksInput<'testWebhook'>, context: CallContext): Promise<WebhooksOutput<'testWebhook'>> {
    return this.again.test(input, context);
  }

  @Operation(operations.resendDelivery)
  resendDelivery(
    input: WebhooksInput<'resendDelivery'>,
    context: CallContext,
  ): Promise<WebhooksOutput<'resendDelivery'>> {
    return this.again.resend(input, context);
  }

  @Operation(operations.listDeliveries)
  listDeliveries(
    input: WebhooksInput<'listDeliveries'>,
    context: CallContext,
  ): Promise<WebhooksOutput<'listDeliveries'>> {
    return this.read.list(input, context);
  }

  @Operation(operations.getDelivery)
  getDelivery(input: WebhooksInput<'getDelivery'>, context: CallContext): Promise<WebhooksOutput<'getDelivery'>> {
    return this.read.get(input, context);
  }
}
