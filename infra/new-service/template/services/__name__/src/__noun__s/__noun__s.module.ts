import { Module } from '@nestjs/common';
import { FileEventsConsumer } from './file-events.consumer.js';
import { Manage__Noun__s } from './manage-__noun__s.usecase.js';
import { __Noun__Store } from './__noun__.store.js';
import { __Noun__sController } from './__noun__s.controller.js';
import { RecordFile } from './record-file.usecase.js';

/** Created by callers, and once for every created file. */
@Module({
  controllers: [__Noun__sController, FileEventsConsumer],
  providers: [__Noun__Store, Manage__Noun__s, RecordFile],
})
export class __Noun__sModule {}
