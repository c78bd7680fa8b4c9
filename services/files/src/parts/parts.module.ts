import { Module } from '@nestjs/common';
import { DeletionModule } from '../deletion/deletion.module.js';
import { FilesModule } from '../files/files.module.js';
import { ReplacementsModule } from '../replacements/replacements.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { BeginPartUpload } from './begin-part-upload.usecase.js';
import { CompletePartUpload } from './complete-part-upload.usecase.js';
import { FindPartUpload } from './find-part-upload.service.js';
import { PartUploadsModule } from './part-uploads.module.js';
import { PartsController } from './parts.controller.js';
import { ReadPartUpload } from './read-part-upload.usecase.js';
import { SignParts } from './sign-parts.usecase.js';
import { AbortPartUpload } from './abort-part-upload.usecase.js';
import { StartAtStore } from './start-at-store.service.js';

/** Uploads whose bytes the caller sends to the object store in parts. */
@Module({
  imports: [FilesModule, UploadsModule, DeletionModule, PartUploadsModule, ReplacementsModule],
  controllers: [PartsController],
  providers: [
    FindPartUpload,
    StartAtStore,
    BeginPartUpload,
    SignParts,
    ReadPartUpload,
    CompletePartUpload,
    AbortPartUpload,
  ],
})
export class PartsModule {}
