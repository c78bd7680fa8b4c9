// Composition root of the analytics service: controllers, use cases, stores and adapters are wired here.
import type { DynamicModule } from '@nestjs/common';

export class AnalyticsModule {
  static with(): DynamicModule {
    return { module: AnalyticsModule };
  }
}
