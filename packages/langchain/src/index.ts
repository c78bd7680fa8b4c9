// A retriever and a document loader for LangChain. The text of a document comes from a file, so it is untrusted: see the README.
export { KilnLoader, type FileMetadata, type KilnLoaderInput, type LoadedMetadata } from './loader.js';
export { KilnRetriever, type KilnRetrieverInput, type RetrievedMetadata, type SearchOptions } from './retriever.js';
