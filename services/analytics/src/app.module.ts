// Composition root of the analytics service: imports its features, each a module in a folder of its own. See services/webhooks.
import { Module } from '@nestjs/common';

@Module({})
export class AppModule {}
