import { NotFoundError, type Kiln, type Query, type Schemas } from '@kiln/sdk';
import { BaseDocumentLoader } from '@langchain/core/document_loaders/base';
import { Document } from '@langchain/core/documents';

export interface KilnLoaderInput {
  kiln: Kiln;
  /** Which files: `space`, `status`, `filter` and the others of a list. Default: all. */
  files?: Omit<Query<'listFiles'>, 'cursor'>;
  /** What a document is: the markdown of a file, which is the default, or a chunk. */
  per?: 'file' | 'chunk';
}

/** The file of a document. */
export type FileMetadata = Pick<
  Schemas['FileSummary'],
  'filename' | 'space' | 'content_type' | 'external_id' | 'created_at' | 'updated_at'
> & { file_id: string };

type Chunk = Schemas['ListFileChunksResponse']['chunks'][number];

/** The fields of the chunk are there for `per: 'chunk'`. */
export type LoadedMetadata = FileMetadata & Partial<Omit<Chunk, 'index' | 'text'>> & { chunk_index?: number };

/**
 * Loads files of Kiln as documents, in the order of the list. Their texts are untrusted.
 *
 * A file without markdown, or without chunks, has no document: it is not processed yet, or has been deleted in the meantime.
 */
export class KilnLoader extends BaseDocumentLoader {
  constructor(private readonly input: KilnLoaderInput) {
    super();
  }

  /** Collects all documents in memory. */
  override async load(): Promise<Document<LoadedMetadata>[]> {
    const documents: Document<LoadedMetadata>[] = [];
    for await (const document of this.lazyLoad()) documents.push(document);
    return documents;
  }

  /** Loads a file when the loop asks for it, and keeps none. */
  async *lazyLoad(): AsyncGenerator<Document<LoadedMetadata>, void, undefined> {
    const { kiln, files = {}, per = 'file' } = this.input;
    for await (const file of kiln.files.list(files)) {
      if (per === 'chunk') yield* chunksOf(kiln, file);
      else yield* markdownOf(kiln, file);
    }
  }
}

async function* markdownOf(kiln: Kiln, file: Schemas['FileSummary']) {
  const pageContent = await orMissing(kiln.variants.read(file.id, 'markdown'));
  if (pageContent !== null)
    yield new Document<LoadedMetadata>({ id: file.id, pageContent, metadata: metadataOf(file) });
}

async function* chunksOf(kiln: Kiln, file: Schemas['FileSummary']) {
  const pages = kiln.files.listChunks(file.id).pages();
  for (;;) {
    const page = await orMissing(pages.next());
    if (page === null || page.done === true) return;
    for (const { index, text: pageContent, ...place } of page.value.chunks) {
      const metadata = { ...metadataOf(file), ...place, chunk_index: index };
      yield new Document<LoadedMetadata>({ id: `${file.id}:${index}`, pageContent, metadata });
    }
  }
}

/** Null for what does not exist. */
async function orMissing<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

function metadataOf(file: Schemas['FileSummary']): FileMetadata {
  const { id, filename, space, content_type, external_id, created_at, updated_at } = file;
  return { file_id: id, filename, space, content_type, external_id, created_at, updated_at };
}
