import { Module } from '@nestjs/common';
import { FactsConsumer } from './facts.consumer.js';
import { RecordFacts } from './record-facts.usecase.js';

/** Facts about files, jobs and connections, from events, and their rollups. */
@Module({ providers: [RecordFacts], controllers: [FactsConsumer] })
export class FactsModule {}
