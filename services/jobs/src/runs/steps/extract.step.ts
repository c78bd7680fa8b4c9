// Bytes → markdown. Small text is decoded here. Everything else is streamed to local disk and read by the engine that its type is routed to.
// Expensive results are stored in the object store, so that a later run of the job starts from them.
import {
  ExtractionError,
  type ExtractionInput,
  type ExtractionOutput,
  type ExtractionProvider,
  type Extractor,
  type Sandbox,
} from '@kiln/extraction';
import { needsNoEngine } from '@kiln/extraction/routing';
import { isSmallText, readSmallText, SMALL_TEXT_BYTES_MAX } from '@kiln/readers/text/small-text';
import type { ObjectStore } from '@kiln/storage';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { OwnExtractors } from '../../extractions/own-extractors.service.js';
import type { ChosenChain, ExtractionEngines } from '../engines/extraction-engines.service.js';
import { hundredthsOf, hundredthsOfRun, isPaged } from '../../organization/pages/domain/pages.js';
import type { RunUsage, UsedKey } from '../../organization/pages/domain/run-usage.js';
import type { RunContext } from '../run-context.port.js';
import { isInline } from '../run-outputs.service.js';
import type { DocumentReader } from './document-reader.service.js';
import { EXTRACT_PROGRESS, routeFile, typeOf } from './route.step.js';
import type { SourceFile } from './source-file.service.js';
import { makesThumbnail } from './thumbnail.step.js';
import {
  findStored,
  holdTextOrStore,
  MARKDOWN_NAME,
  MARKDOWN_TYPE,
  readPages,
  readStored,
  storeExtraction,
  type Extracted,
  type ExtractionDetails,
} from './stored-extraction.service.js';

const EXPENSIVE_MS = 1_000;
/** A larger text is sent to storage from disk. */
const SENT_FROM_MEMORY_BYTES_MAX = 1_048_576;

export interface ExtractParts {
  objects: ObjectStore;
  engines: ExtractionEngines;
  ownExtractors: Pick<OwnExtractors, 'chainFor'>;
  source: SourceFile;
  reader: DocumentReader;
  sandbox: Pick<Sandbox, 'countPages'>;
  /** A result that took longer is stored, so that a retry need not read the file again. Default 1,000. */
  expensiveMs?: number | undefined;
}

export class ExtractStep {
  constructor(private readonly parts: ExtractParts) {}

  async execute(context: RunContext): Promise<Extracted> {
    const { outputs, progress, file } = context;
    const earlier = await findStored(outputs);
    if (earlier !== null) {
      leaveUnlessShown(context);
      progress.begin('extract', EXTRACT_PROGRESS);
      return this.resume(context, earlier);
    }
    const provider = await routeFile(context);
    progress.begin('extract', EXTRACT_PROGRESS, provider);
    if (isSmallText(typeOf(file), file.size_bytes)) return this.readHere(context, provider);
    return this.extract(context, provider);
  }

  /** Small text needs no sandbox and no copy on disk. */
  private async readHere(context: RunContext, provider: ExtractionProvider): Promise<Extracted> {
    context.leaveSandbox();
    const { bytes, sha256 } = await this.parts.source.read(context, SMALL_TEXT_BYTES_MAX);
    const { filename } = context.file;
    const { markdown, metadata } = readSmallText({ bytes, filename, contentType: typeOf(context.file) });
    const used = usedOf('managed', { pageCount: null, metadata }, markdown.length);
    return this.keep(context, { metadata, pages: [], provider, sha256, used }, { markdown, isCheap: true, path: null });
  }

  private async extract(context: RunContext, provider: ExtractionProvider): Promise<Extracted> {
    const chosen = await this.chooseEngines(context, provider);
    const startedAt = performance.now();
    const { output, sha256 } = await this.read(context, chosen, provider);
    leaveUnlessShown(context);
    const tookMs = performance.now() - startedAt;
    const detailsOf = async (characters: number) => {
      const used = usedOf(chosen.key, output, characters);
      return { metadata: output.metadata, pages: await readPages(output), provider, sha256, used };
    };
    await holdTextOrStore(context, output, detailsOf);
    const markdown = await readFile(output.markdownPath, 'utf8');
    const details = await detailsOf(markdown.length);
    const { expensiveMs = EXPENSIVE_MS } = this.parts;
    const isCheap = tookMs <= expensiveMs && chosen.chain.links.every(({ remote }) => remote === null);
    const path = output.markdownBytes > SENT_FROM_MEMORY_BYTES_MAX ? output.markdownPath : null;
    return this.keep(context, details, { markdown, isCheap, path });
  }

  /** Stores large or expensive results while the run continues: a later run of the job starts from them. */
  private async keep(
    context: RunContext,
    details: ExtractionDetails,
    { markdown, isCheap, path }: { markdown: string; isCheap: boolean; path: string | null },
  ): Promise<Extracted> {
    const { outputs } = context;
    const variant = { type: 'markdown', content_type: MARKDOWN_TYPE, provider: details.provider } as const;
    const isKept = !isCheap || !isInline(markdown);
    // From disk where it is there, so that a large text is in memory once.
    const content = path === null ? markdown : createReadStream(path);
    const stored = isKept ? storeExtraction(outputs, details, content) : null;
    if (stored) outputs.storeMeanwhile(stored);
    await this.count(context, details.used);
    if (!outputs.wants('markdown')) return { ...details, markdown };
    if (stored) outputs.storeMeanwhile(stored.then((object) => outputs.addStored(variant, object)));
    else await outputs.add(variant, MARKDOWN_NAME, markdown);
    return { ...details, markdown };
  }

  /** Where pages can be counted here, a remote engine is called only if the pages fit within the limit of the plan. */
  private async read(context: RunContext, { chain, key }: ChosenChain<Extractor>, provider: ExtractionProvider) {
    if (!chain.links[0]?.remote) return this.parts.reader.read(context, chain, provider);
    if (!isPaged(typeOf(context.file)) || !context.job.is_limited) {
      context.leaveSandbox();
      return this.parts.reader.read(context, chain, provider);
    }
    return this.parts.reader.read(context, chain, provider, async (input) => {
      const pages = await this.countPages(input, context.signal);
      context.leaveSandbox();
      if (pages !== null) await context.holdPages(hundredthsOf(pages, key));
    });
  }

  /** Null when the pages cannot be counted here. The engine reports them then. */
  private async countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null> {
    try {
      return await this.parts.sandbox.countPages(input, signal);
    } catch (error) {
      if (error instanceof ExtractionError && !error.retryable) return null;
      throw error;
    }
  }

  /** Throws beyond the limit of the plan: nothing is counted then, and the stored result is kept for a retry. */
  private async count(context: RunContext, used: NonNullable<RunUsage['extraction']>): Promise<void> {
    await context.holdPages(hundredthsOfRun(context.file.content_type, used));
    context.progress.use({ extraction: used });
  }

  private async chooseEngines(context: RunContext, provider: ExtractionProvider): Promise<ChosenChain<Extractor>> {
    const { file, policy } = context;
    if (needsNoEngine(typeOf(file))) return this.parts.engines.localChain;
    const own = policy.isTest ? null : await policy.extractorOf(provider);
    if (own !== null) return this.parts.ownExtractors.chainFor(context, provider, own);
    const ownKey = policy.isTest ? null : await policy.keyOf(provider);
    const chosen = this.parts.engines.chainFor(provider, { isTest: policy.isTest, ownKey });
    if (chosen !== null) return chosen;
    throw new ExtractionError(
      'unsupported_type',
      `In test mode files are read by local engines only, and there is none for ${typeOf(file)}. Use a live key.`,
    );
  }

  /** Starts from what an earlier run has stored, and may not have committed. */
  private async resume(context: RunContext, markdownKey: string): Promise<Extracted> {
    leaveUnlessShown(context);
    const { details, markdown } = await readStored(this.parts.objects, markdownKey, context);
    const { provider } = details;
    context.progress.routeTo(provider);
    // The earlier run may have ended before it reported its usage.
    await this.count(context, details.used);
    if (context.outputs.wants('markdown')) {
      // Both are stored under this run: a later run expects the details beside the committed markdown.
      const stored = await storeExtraction(context.outputs, details, markdown);
      context.outputs.addStored({ type: 'markdown', content_type: MARKDOWN_TYPE, provider }, stored);
    }
    return { markdown, ...details };
  }
}

/** The thumbnail is made in the sandbox that the run holds. */
function leaveUnlessShown(context: RunContext): void {
  if (!makesThumbnail(context)) context.leaveSandbox();
}

function usedOf(
  key: UsedKey,
  { pageCount, metadata }: Pick<ExtractionOutput, 'pageCount' | 'metadata'>,
  characters: number,
): NonNullable<RunUsage['extraction']> {
  const duration = metadata['duration_seconds'];
  return {
    key,
    page_count: pageCount,
    characters,
    duration_seconds: typeof duration === 'number' ? duration : null,
  };
}
