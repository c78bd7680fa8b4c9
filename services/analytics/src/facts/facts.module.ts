import { Module } from '@nestjs/common';
import { FactsConsumer } from './facts.consumer.js';
import { RecordFacts } from './record-facts.usecase.js';

/** What events state about files, jobs and connections, and the rollups that follow from it. */
@Module({ providers: [RecordFacts], controllers: [FactsConsumer] })
export class FactsModule {}
