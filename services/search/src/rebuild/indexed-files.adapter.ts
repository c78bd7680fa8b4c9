// Reads the sources of a file's index: the file, its variants, and the language that its organization has set.
import {
  asCodedError,
  filesOperations,
  jobsOperations,
  liveTenantOf,
  searchableIndexSchema,
  type CallContext,
  type IndexedFileRecord,
  type OperationOutput,
  type SearchableIndex,
  type SearchLanguage,
} from '@kiln/contracts';
import { readEmbeddings, type StoredEmbeddings } from '@kiln/chunks/embeddings-variant';
import { RpcClient } from '@kiln/platform';
import { StorageError, type ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { OBJECT_STORE } from '../indexing/object-store.port.js';

type VariantRecord = OperationOutput<(typeof filesOperations)['listVariants']>['variants'][number];

export interface IndexSource {
  file: IndexedFileRecord;
  /** What the run that indexed the file has recorded. */
  index: SearchableIndex;
  /** Null when the file has no such variant. */
  markdown: string | null;
  embeddings: StoredEmbeddings | null;
}

@Injectable()
export class IndexedFiles {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'get'>,
  ) {}

  async languageOf(context: CallContext): Promise<SearchLanguage> {
    return (await this.settingsOf(context)).search_language;
  }

  /** The model that new files of the organization are embedded with. */
  async embeddingModelOf(context: CallContext): Promise<string> {
    return (await this.settingsOf(context)).default_embedding_model;
  }

  /** Throws NOT_FOUND when the file was deleted, is not indexed, or was processed again meanwhile. */
  async find(fileId: string, context: CallContext): Promise<IndexSource> {
    const file = await this.rpc.call(filesOperations.getIndexedFile, { file_id: fileId }, context);
    const { variants } = await this.rpc.call(filesOperations.listVariants, { file_id: fileId }, context);
    const contentOf = async (type: VariantRecord['type']) => {
      const variant = variants.find((each) => each.type === type);
      return variant === undefined ? null : this.read(variant, context);
    };
    const index = searchableIndexSchema.parse(JSON.parse((await contentOf('searchable-index')) ?? 'null'));
    const embeddings = variants.find(({ type }) => type === 'embeddings')?.content_key ?? null;
    return {
      file,
      index,
      markdown: await contentOf('markdown'),
      embeddings: embeddings === null ? null : await readEmbeddings(() => this.open(embeddings, context)),
    };
  }

  /** Whether the file is still as it was read. A deleted one is. */
  async isCurrent(file: IndexedFileRecord, context: CallContext): Promise<boolean> {
    try {
      const now = await this.rpc.call(filesOperations.getIndexedFile, { file_id: file.file_id }, context);
      return isDeepStrictEqual(now, file);
    } catch (error) {
      if (asCodedError(error).code === 'NOT_FOUND') return true;
      throw error;
    }
  }

  private settingsOf(context: CallContext) {
    const ofOrganization: CallContext = { ...context, tenantId: liveTenantOf(context.tenantId), mode: 'live' };
    return this.rpc.call(jobsOperations.getSettings, {}, ofOrganization);
  }

  private async read(variant: VariantRecord, context: CallContext): Promise<string> {
    if (variant.content !== null) return variant.content;
    const { content_key: key, file_id, id: variant_id } = variant;
    if (key === null) {
      const input = { file_id, variant_id };
      return (await this.rpc.call(filesOperations.getVariantContent, input, context)).content;
    }
    return text(await this.open(key, context));
  }

  private async open(key: string, { deadlineAt }: CallContext): Promise<Readable> {
    const signal = AbortSignal.timeout(Math.max(deadlineAt - Date.now(), 1));
    return (await this.objects.get(key, { signal })).body;
  }
}

/** The file was processed again while it was read, so its former content no longer exists. */
export const isReplaced = (error: unknown) => error instanceof StorageError && error.code === 'not_found';
