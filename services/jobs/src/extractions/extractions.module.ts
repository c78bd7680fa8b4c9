import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/organization.module.js';
import { ExtractionStore } from './extraction.store.js';
import { ExtractionsController } from './extractions.controller.js';
import { TakeResult } from './take-result.usecase.js';

/** Extractions by own extractors of organizations: requests to them, and results that arrive later. */
@Module({
  imports: [OrganizationModule],
  controllers: [ExtractionsController],
  providers: [ExtractionStore, TakeResult],
})
export class ExtractionsModule {}
