import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { ReadVariants } from './read-variants.usecase.js';
import { VariantContentStore } from './variant-content.store.js';
import { VariantsController } from './variants.controller.js';

/** The outputs of processing, with their contents. */
@Module({
  imports: [FilesModule],
  controllers: [VariantsController],
  providers: [VariantContentStore, ReadVariants],
})
export class VariantsModule {}
