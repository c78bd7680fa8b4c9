// Bytes → markdown on local disk. The source is streamed to scratch, read by the engine that its route leads to, and the
// result is kept in the object store, so that a later run of this job starts from it instead of reading the document again.
import { providerSchema } from '@kiln/contracts';
import {
  ExtractionError,
  type DocumentMetadata,
  type ExtractionInput,
  type ExtractionOutput,
  type ExtractionProvider,
  type Extractor,
  type PageSpan,
  type Sandbox,
} from '@kiln/extraction';
import { needsNoEngine, routeProvider } from '@kiln/extraction/routing';
import type { ObjectStore } from '@kiln/storage';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { ChosenChain, ExtractionEngines } from '../../adapters/extraction-engines.js';
import { hundredthsOf, hundredthsOfRun, isPaged } from '../../domain/pages.js';
import type { RunUsage } from '../../domain/run-usage.js';
import { committedKey, OutputStore, wants } from '../output-store.js';
import type { RunContext } from '../run-context.js';
import type { DocumentReader } from './document-reader.js';

export interface Extracted {
  markdown: string;
  metadata: DocumentMetadata;
  pages: PageSpan[];
  provider: ExtractionProvider;
  /** Of the bytes that were read. */
  sha256: string;
}

const PROGRESS = 0.1;
const MARKDOWN_TYPE = 'text/markdown';
const DETAILS_NAME = 'extraction.json';
const MARKDOWN_NAME = 'markdown.md';

const usedSchema = z.object({
  key: z.enum(['managed', 'organization']),
  page_count: z.int().nullable(),
  characters: z.int(),
  duration_seconds: z.number().nullable(),
});

const detailsSchema = z.object({
  metadata: z.custom<DocumentMetadata>((value) => typeof value === 'object' && value !== null),
  pages: z.array(z.object({ page: z.int(), start: z.int(), end: z.int() })),
  provider: providerSchema,
  /** What reading it has used. */
  used: usedSchema,
  sha256: z.string(),
});

export class ExtractStep {
  constructor(
    private readonly objects: ObjectStore,
    private readonly outputs: OutputStore,
    private readonly engines: ExtractionEngines,
    private readonly reader: DocumentReader,
    private readonly sandbox: Pick<Sandbox, 'countPages'>,
  ) {}

  async execute(context: RunContext): Promise<Extracted> {
    const earlier = committedKey(context, 'markdown') ?? (await this.outputs.findEarlier(context, MARKDOWN_NAME));
    if (earlier !== null) {
      context.leaveSandbox();
      await context.report('extract', PROGRESS);
      return this.resume(context, earlier);
    }
    const provider = await this.route(context);
    context.routeTo(provider);
    await context.report('extract', PROGRESS, provider);
    if (provider === null) throw notProcessed(context.file);
    return this.extract(context, provider);
  }

  private async route({ job, file, policy }: RunContext): Promise<ExtractionProvider | null> {
    const contentType = typeOf(file);
    const { provider: requested } = job.processing;
    const ruled = requested ? null : await policy.ruledProvider(contentType);
    return routeProvider(contentType, { requested, ruled });
  }

  private async extract(context: RunContext, provider: ExtractionProvider): Promise<Extracted> {
    const chosen = await this.chooseEngines(context, provider);
    const { output, sha256 } = await this.read(context, chosen, provider);
    context.leaveSandbox();
    const pages = output.pagesPath === null ? [] : (JSON.parse(await readFile(output.pagesPath, 'utf8')) as PageSpan[]);
    const markdown = await readFile(output.markdownPath, 'utf8');
    const used = usageOf(chosen, output, markdown);
    const details = { metadata: output.metadata, pages, provider, sha256, used };

    await this.writeDetails(context, details);
    const stored = await this.outputs.writeFile(context, MARKDOWN_NAME, output.markdownPath, MARKDOWN_TYPE);
    await this.count(context, used);
    if (wants(context, 'markdown')) {
      await this.outputs.commitVariant(context, { type: 'markdown', contentType: MARKDOWN_TYPE, stored, provider });
    }
    return { ...details, markdown };
  }

  /** A remote engine is asked only for pages that there is room for, where they can be counted here. */
  private async read(context: RunContext, { chain, key }: ChosenChain<Extractor>, provider: ExtractionProvider) {
    if (!chain.links[0]?.remote) return this.reader.read(context, chain, provider);
    if (!isPaged(typeOf(context.file)) || !(await context.isLimited())) {
      context.leaveSandbox();
      return this.reader.read(context, chain, provider);
    }
    return this.reader.read(context, chain, provider, async (input) => {
      const pages = await this.countPages(input, context.signal);
      context.leaveSandbox();
      if (pages !== null) await context.holdPages(hundredthsOf(pages, key));
    });
  }

  /** Null when this machine can't tell: then the engine does. */
  private async countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null> {
    try {
      return await this.sandbox.countPages(input, signal);
    } catch (error) {
      if (error instanceof ExtractionError && error.code !== 'internal') return null;
      throw error;
    }
  }

  /** Nothing is counted, and no further engine asked, beyond the limit of the plan. What was read is kept for a retry. */
  private async count(context: RunContext, used: NonNullable<RunUsage['extraction']>): Promise<void> {
    await context.holdPages(hundredthsOfRun(context.file.content_type, used));
    await context.recordUsage({ extraction: used });
  }

  private async chooseEngines({ file, policy }: RunContext, provider: ExtractionProvider) {
    if (needsNoEngine(typeOf(file))) return this.engines.localChain;
    const ownKey = policy.isTest ? null : await policy.keyOf(provider);
    const chosen = this.engines.chainFor(provider, { isTest: policy.isTest, ownKey });
    if (chosen !== null) return chosen;
    throw new ExtractionError(
      'unsupported_type',
      `In test mode files are read by local engines only, and there is none for ${typeOf(file)}. Use a live key.`,
    );
  }

  /** Starts from what an earlier run has stored; its markdown may not have been committed yet. */
  private async resume(context: RunContext, markdownKey: string): Promise<Extracted> {
    const prefix = markdownKey.slice(0, -MARKDOWN_NAME.length);
    const [markdown, detailsText] = await Promise.all([
      this.readText(context, markdownKey),
      this.readText(context, prefix + DETAILS_NAME),
    ]);
    const details = detailsSchema.parse(JSON.parse(detailsText));
    context.routeTo(details.provider);
    // The run that read it may have ended before it could say so.
    await this.count(context, details.used);
    if (wants(context, 'markdown') && committedKey(context, 'markdown') === null) {
      // Both lie under this run now: a later one looks for the details beside the committed markdown.
      await this.writeDetails(context, details);
      const stored = await this.outputs.write(context, MARKDOWN_NAME, markdown, MARKDOWN_TYPE);
      const { provider } = details;
      await this.outputs.commitVariant(context, { type: 'markdown', contentType: MARKDOWN_TYPE, stored, provider });
    }
    return { markdown, ...details };
  }

  private async writeDetails(context: RunContext, details: z.output<typeof detailsSchema>): Promise<void> {
    await this.outputs.write(context, DETAILS_NAME, JSON.stringify(details), 'application/json');
  }

  private async readText(context: RunContext, key: string): Promise<string> {
    return text((await this.objects.get(key, { signal: context.signal })).body);
  }
}

type RunFile = RunContext['file'];

const typeOf = (file: RunFile) => file.content_type ?? 'application/octet-stream';

const notProcessed = (file: RunFile) =>
  new ExtractionError('unsupported_type', `Files of type ${typeOf(file)} can't be processed by this installation.`);

function usageOf(
  { key }: ChosenChain<Extractor>,
  { pageCount, metadata }: ExtractionOutput,
  markdown: string,
): NonNullable<RunUsage['extraction']> {
  const duration = metadata['duration_seconds'];
  return {
    key,
    page_count: pageCount,
    characters: markdown.length,
    duration_seconds: typeof duration === 'number' ? duration : null,
  };
}
