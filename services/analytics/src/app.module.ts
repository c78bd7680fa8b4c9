// Composition root of the analytics service: imports its features, each a module in a folder of its own.
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ANALYTICS_CONFIG, type AnalyticsConfig } from './config.js';
import { FactsModule } from './facts/facts.module.js';
import { InsightsModule } from './insights/insights.module.js';
import { ReconciliationModule } from './reconciliation/reconciliation.module.js';
import { RequestsModule } from './requests/requests.module.js';

@Global()
@Module({})
class SettingsModule {
  static with(config: AnalyticsConfig): DynamicModule {
    const providers = [{ provide: ANALYTICS_CONFIG, useValue: config }];
    return { module: SettingsModule, providers, exports: providers };
  }
}

@Module({})
export class AppModule {
  static with(config: AnalyticsConfig): DynamicModule {
    const features = [FactsModule, InsightsModule, ReconciliationModule, RequestsModule];
    return { module: AppModule, imports: [SettingsModule.with(config), ...features] };
  }
}
