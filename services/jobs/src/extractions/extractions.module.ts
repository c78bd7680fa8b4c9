import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/organization.module.js';
import { ExtractionStore } from './extraction.store.js';
import { ExtractionsController } from './extractions.controller.js';
import { TakeResult } from './take-result.usecase.js';

/** Extractions by own extractors of organizations: what they were asked, and how their results arrive. */
@Module({
  imports: [OrganizationModule],
  controllers: [ExtractionsController],
  providers: [ExtractionStore, TakeResult],
})
export class ExtractionsModule {}
