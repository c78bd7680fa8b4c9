import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { FileUpdateStore } from './file-update.store.js';
import { UpdateFile } from './update-file.usecase.js';
import { UpdatesController } from './updates.controller.js';

/** Changes the name, the space, the metadata or the external id of a file. */
@Module({
  imports: [FilesModule],
  controllers: [UpdatesController],
  providers: [FileUpdateStore, UpdateFile],
  exports: [FileUpdateStore],
})
export class UpdatesModule {}
