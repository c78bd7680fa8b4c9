import { Module } from '@nestjs/common';
import { SourcesModule } from '../sources/sources.module.js';
import { ContentMatches } from './content-matches.adapter.js';
import { DownloadFile } from './download-file.usecase.js';
import { ExternalIdStore } from './external-id.store.js';
import { FileListStore } from './file-list.store.js';
import { FileWithVariantsStore } from './file-with-variants.store.js';
import { FileStore } from './file.store.js';
import { FilesController } from './files.controller.js';
import { FilteredList } from './filtered-list.service.js';
import { IndexedFileStore } from './indexed-file.store.js';
import { ReadFiles } from './read-files.usecase.js';
import { ReadIndexedFiles } from './read-indexed-files.usecase.js';
import { SearchList } from './search-list.service.js';

/** Reads, lists and downloads files. */
@Module({
  imports: [SourcesModule],
  controllers: [FilesController],
  providers: [
    FileStore,
    ExternalIdStore,
    FileWithVariantsStore,
    FileListStore,
    IndexedFileStore,
    ContentMatches,
    SearchList,
    FilteredList,
    ReadFiles,
    ReadIndexedFiles,
    DownloadFile,
  ],
  exports: [FileStore, ExternalIdStore, ReadFiles],
})
export class FilesModule {}
