// The composition root of the __name__ service: imports its features, each a module in its own folder. services/webhooks is the model.
import { Module } from '@nestjs/common';

@Module({})
export class AppModule {}
