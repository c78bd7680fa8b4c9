import { Module } from '@nestjs/common';
import { HistoryStore } from './history.store.js';
import { InsightStore } from './insight.store.js';
import { InsightsController } from './insights.controller.js';
import { ListFailures } from './list-failures.usecase.js';
import { ShowHistory } from './show-history.usecase.js';
import { ShowOverview } from './show-overview.usecase.js';
import { ShowProcessing } from './show-processing.usecase.js';

/** The data of the endpoints under `/v1/analytics`. */
@Module({
  providers: [InsightStore, HistoryStore, ShowOverview, ShowHistory, ShowProcessing, ListFailures],
  controllers: [InsightsController],
})
export class InsightsModule {}
