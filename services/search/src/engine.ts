// The index without the service around it, for benches.
export { BlockSplitter, type Block } from './domain/block-appender.js';
export { facetsOf, facetsOfFilter } from './domain/facet.js';
export { chunkPassage, titlePassage, type Passage } from './domain/passage.js';
export { termsOfQuery } from './domain/analyzer.js';
export type { QueryTerm } from './domain/bm25.js';
export { encodeTail } from './domain/tail-data.js';
export { IndexStore, type IndexedFile } from './store/index.store.js';
export { MergeStore } from './store/merge.store.js';
export { PurgeStore } from './store/purge.store.js';
export { SearchStore } from './store/search.store.js';
