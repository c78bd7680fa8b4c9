import {
  webhooksOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { SendDelivery } from './send-delivery.usecase.js';
import { ReadDeliveries } from './read-deliveries.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class DeliveriesController {
  constructor(
    private readonly again: SendDelivery,
    private readonly read: ReadDeliveries,
  ) {}

  @Operation(operations.testWebhook)
  testWebhook(input: Input<'testWebhook'>, context: CallContext): Output<'testWebhook'> {
    return this.again.test(input, context);
  }

  @Operation(operations.resendDelivery)
  resendDelivery(input: Input<'resendDelivery'>, context: CallContext): Output<'resendDelivery'> {
    return this.again.resend(input, context);
  }

  @Operation(operations.listDeliveries)
  listDeliveries(input: Input<'listDeliveries'>, context: CallContext): Output<'listDeliveries'> {
    return this.read.list(input, context);
  }

  @Operation(operations.getDelivery)
  getDelivery(input: Input<'getDelivery'>, context: CallContext): Output<'getDelivery'> {
    return this.read.get(input, context);
  }
}
