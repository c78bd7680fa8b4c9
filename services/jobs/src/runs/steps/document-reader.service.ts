// Reads a file with the first engine of a chain that succeeds. The bytes are downloaded once, and only when an engine is ready for them: a
// job that finds all engines busy reads nothing from storage.
import type { ExtractionInput, ExtractionOutput, ExtractionProvider, Extractor, Sandbox } from '@kiln/extraction';
import type { FallbackChain } from '@kiln/model-clients/admission/fallback-chain';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CopiedFile } from '../local-copy.service.js';
import type { RunContext } from '../run-context.port.js';
import { withStatedProperties } from './remote-metadata.domain.js';
import type { SourceFile } from './source-file.service.js';

export interface ReadDocument {
  output: ExtractionOutput;
  /** Of the bytes that were read. */
  sha256: string;
}

/** A fault of the source is the same for every engine, and no fault of an engine. */
class NoSourceError extends Error {}

export class DocumentReader {
  constructor(
    private readonly source: SourceFile,
    private readonly sandbox: Pick<Sandbox, 'name' | 'readProperties'>,
  ) {}

  /** Writes the output to the run's directory. `inspect` gets the file before an engine is called, and can throw to end the read. */
  async read(
    context: RunContext,
    chain: FallbackChain<Extractor>,
    provider: ExtractionProvider,
    inspect?: (input: ExtractionInput) => Promise<void>,
  ): Promise<ReadDocument> {
    const outputDirectory = join(await context.scratch.path(), 'output');
    const fetch = () => context.copy.fetch((path) => this.source.download(context, path));
    const readBy = async (engine: Extractor): Promise<ReadDocument> => {
      const copy = await fetch().catch((cause: unknown) => {
        throw new NoSourceError('the source could not be fetched', { cause });
      });
      // Each engine starts with an empty folder.
      await rm(outputDirectory, { recursive: true, force: true });
      await mkdir(outputDirectory);
      const input = inputOf(context, copy, outputDirectory);
      return { output: await this.extract(engine, input, context), sha256: copy.sha256 };
    };
    try {
      if (inspect) await inspect(inputOf(context, await fetch(), outputDirectory));
      // The timeline shows the position of the engine, not its address.
      return await chain.run(readBy, context.signal, {
        onFallback: (next, position, { code, message }) =>
          context.progress.fallBack(next.remote ? `${provider} (engine ${position + 1})` : 'local', {
            code: code === 'unavailable' ? 'internal' : code,
            message,
          }),
      });
    } catch (error) {
      throw error instanceof NoSourceError ? error.cause : error;
    }
  }

  private async extract(engine: Extractor, input: ExtractionInput, context: RunContext): Promise<ExtractionOutput> {
    const output = await engine.extract(input, context.signal);
    if (engine.name === this.sandbox.name) return output;
    const { metadata } = output;
    return { ...output, metadata: await withStatedProperties(this.sandbox, { input, metadata }, context) };
  }
}

const inputOf = ({ file, job }: RunContext, { path }: CopiedFile, outputDirectory: string): ExtractionInput => ({
  path,
  filename: file.filename,
  contentType: file.content_type ?? 'application/octet-stream',
  outputDirectory,
  owner: job.tenant_id,
});
