// The index without the rest of the service, for benchmarks.
export { BlockSplitter, type Block } from './merging/domain/append-postings.js';
export { facetsOf, facetsOfFilter } from './postings/domain/facet.js';
export { chunkPassage, titlePassage, type Passage } from './analysis/domain/passage.js';
export { encodeTail } from './postings/domain/tail-data.js';
export { NewFilesStore } from './indexing/new-files.store.js';
export { IndexStore, type IndexedFile } from './indexing/index.store.js';
export { entities } from './entities.js';
export { MergeStore } from './merging/merge.store.js';
export { PurgeStore } from './merging/purge.store.js';
export { SearchStore } from './searching/search.store.js';
export { IndexFiles } from './indexing/index-files.usecase.js';
export { MergeWorker, UNMERGED_UNSEARCHED_MAX } from './merging/merge.worker.js';
