import {
  webhooksOperations as operations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ManageWebhooks } from './manage-webhooks.usecase.js';

type Ops = typeof operations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

@Controller()
export class WebhooksController {
  constructor(private readonly manage: ManageWebhooks) {}

  @Operation(operations.createWebhook)
  createWebhook(input: Input<'createWebhook'>, context: CallContext): Output<'createWebhook'> {
    return this.manage.create(input, context);
  }

  @Operation(operations.listWebhooks)
  listWebhooks(_input: Input<'listWebhooks'>, context: CallContext): Output<'listWebhooks'> {
    return this.manage.list(context);
  }

  @Operation(operations.getWebhook)
  getWebhook(input: Input<'getWebhook'>, context: CallContext): Output<'getWebhook'> {
    return this.manage.get(input, context);
  }

  @Operation(operations.updateWebhook)
  updateWebhook(input: Input<'updateWebhook'>, context: CallContext): Output<'updateWebhook'> {
    return this.manage.update(input, context);
  }

  @Operation(operations.deleteWebhook)
  deleteWebhook(input: Input<'deleteWebhook'>, context: CallContext): Output<'deleteWebhook'> {
    return this.manage.remove(input, context);
  }

  @Operation(operations.rotateSecret)
  rotateSecret(input: Input<'rotateSecret'>, context: CallContext): Output<'rotateSecret'> {
    return this.manage.rotate(input, context);
  }
}
