// Composition root of the __name__ service: controllers, use cases, stores and adapters are wired here.
import type { DynamicModule } from '@nestjs/common';

export class __Name__Module {
  static with(): DynamicModule {
    return { module: __Name__Module };
  }
}
