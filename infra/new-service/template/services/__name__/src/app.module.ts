// The composition root: imports the features, each a module in a folder of its own. services/webhooks is the model.
import { Module } from '@nestjs/common';
import { __Noun__sModule } from './__noun__s/__noun__s.module.js';

@Module({ imports: [__Noun__sModule] })
export class AppModule {}
