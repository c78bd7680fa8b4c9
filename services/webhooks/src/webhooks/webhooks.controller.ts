import {
  webhooksOperations as operations,
  type CallContext,
  type WebhooksInput,
  type WebhooksOutput,
} from '@kiln/contracts';
import { Operation } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { ManageWebhooks } from './manage-webhooks.usecase.js';

@Controller()
export class WebhooksController {
  constructor(private readonly manage: ManageWebhooks) {}

  @Operation(operations.createWebhook)
  createWebhook(input: WebhooksInput<'createWebhook'>, context: CallContext): Promise<WebhooksOutput<'createWebhook'>> {
    return this.manage.create(input, context);
  }

  @Operation(operations.listWebhooks)
  listWebhooks(input: WebhooksInput<'listWebhooks'>, context: CallContext): Promise<WebhooksOutput<'listWebhooks'>> {
    return this.manage.list(input, context);
  }

  @Operation(operations.getWebhook)
  getWebhook(input: WebhooksInput<'getWebhook'>, context: CallContext): Promise<WebhooksOutput<'getWebhook'>> {
    return this.manage.get(input, context);
  }

  @Operation(operations.updateWebhook)
  updateWebhook(input: WebhooksInput<'updateWebhook'>, context: CallContext): Promise<WebhooksOutput<'updateWebhook'>> {
    return this.manage.update(input, context);
  }

  @Operation(operations.deleteWebhook)
  deleteWebhook(input: WebhooksInput<'deleteWebhook'>, context: CallContext): Promise<WebhooksOutput<'deleteWebhook'>> {
    return this.manage.remove(input, context);
  }

  @Operation(operations.rotateSecret)
  rotateSecret(input: WebhooksInput<'rotateSecret'>, context: CallContext): Promise<WebhooksOutput<'rotateSecret'>> {
    return this.manage.rotate(input, context);
  }
}
