import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { GetPageImage } from './get-page-image.usecase.js';
import { PageImagesController } from './page-images.controller.js';

/** Images of the pages of files. */
@Module({
  imports: [FilesModule, SourcesModule],
  controllers: [PageImagesController],
  providers: [GetPageImage],
})
export class PageImagesModule {}
