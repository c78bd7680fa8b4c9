// Composition root of the analytics service: imports its features, each a module in a folder of its own.
import { Module } from '@nestjs/common';
import { FactsModule } from './facts/facts.module.js';
import { InsightsModule } from './insights/insights.module.js';
import { RequestsModule } from './requests/requests.module.js';

@Module({ imports: [FactsModule, InsightsModule, RequestsModule] })
export class AppModule {}
