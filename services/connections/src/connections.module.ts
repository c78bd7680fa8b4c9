// Composition root of the connections service: controllers, use cases, stores and adapters are wired here.
import type { DynamicModule } from '@nestjs/common';

export class ConnectionsModule {
  static with(): DynamicModule {
    return { module: ConnectionsModule };
  }
}
