// Kiln for LangChain. The texts of documents are those of files, so they are untrusted: see the README.
export { KilnLoader, type FileMetadata, type KilnLoaderInput, type LoadedMetadata } from './loader.js';
export { KilnRetriever, type KilnRetrieverInput, type RetrievedMetadata, type SearchOptions } from './retriever.js';
