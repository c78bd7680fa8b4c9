// Composition root of the webhooks service: controllers, use cases, stores and adapters are wired here.
import type { DynamicModule } from '@nestjs/common';

export class WebhooksModule {
  static with(): DynamicModule {
    return { module: WebhooksModule };
  }
}
