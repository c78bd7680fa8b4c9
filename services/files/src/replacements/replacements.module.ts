import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { PartUploadsModule } from '../parts/part-uploads.module.js';
import { UpdatesModule } from '../updates/updates.module.js';
import { ArrivalStore } from '../uploads/arrival.store.js';
import { FileContentStore } from './file-content.store.js';
import { ReceiveReplacement } from './receive-replacement.usecase.js';
import { RegisterReplacement } from './register-replacement.usecase.js';
import { ReplaceContent } from './replace-content.usecase.js';
import { ReplacementStore } from './replacement.store.js';
import { ReplacementsWorker } from './replacements.worker.js';

/** Replaces the content of files that keep their ids. */
@Module({
  imports: [FilesModule, UpdatesModule, PartUploadsModule],
  providers: [
    FileContentStore,
    ReplaceContent,
    ReplacementStore,
    RegisterReplacement,
    ArrivalStore,
    ReceiveReplacement,
    ReplacementsWorker,
  ],
  exports: [ReplaceContent, RegisterReplacement, ReceiveReplacement, ReplacementStore],
})
export class ReplacementsModule {}
