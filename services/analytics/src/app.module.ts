// Composition root of the analytics service: imports its features, each a module in a folder of its own.
import { Module } from '@nestjs/common';
import { RequestsModule } from './requests/requests.module.js';

@Module({ imports: [RequestsModule] })
export class AppModule {}
