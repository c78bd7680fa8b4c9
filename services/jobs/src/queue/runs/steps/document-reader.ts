// Reads a file with the first engine of a chain that succeeds. The bytes are downloaded once, and only when an engine is ready for them: a
// job that finds all engines busy reads nothing from storage.
import type { ExtractionInput, ExtractionOutput, ExtractionProvider, Extractor } from '@kiln/extraction';
import type { FallbackChain } from '@kiln/extraction/remote';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunContext } from '../run-context.js';
import type { SourceFile } from './source-file.js';

export interface ReadDocument {
  output: ExtractionOutput;
  /** Of the bytes that were read. */
  sha256: string;
}

/** A fault of the source is the same for every engine, and no fault of an engine. */
class NoSourceError extends Error {}

export class DocumentReader {
  constructor(private readonly source: SourceFile) {}

  /** Writes the output to the run's directory. `inspect` gets the file before an engine is called, and can throw to end the read. */
  async read(
    context: RunContext,
    chain: FallbackChain<Extractor>,
    provider: ExtractionProvider,
    inspect?: (input: ExtractionInput) => Promise<void>,
  ): Promise<ReadDocument> {
    const directory = await context.scratch.path();
    const path = join(directory, 'source');
    const outputDirectory = join(directory, 'output');
    let fetched: Promise<string> | null = null;
    const contentType = context.file.content_type ?? 'application/octet-stream';
    const owner = context.job.tenant_id;
    const input = { path, filename: context.file.filename, contentType, outputDirectory, owner };
    const readBy = async (engine: Extractor): Promise<ReadDocument> => {
      fetched ??= this.source.download(context, path);
      const sha256 = await fetched.catch((cause: unknown) => {
        throw new NoSourceError('the source could not be fetched', { cause });
      });
      // Each engine starts with an empty folder.
      await rm(outputDirectory, { recursive: true, force: true });
      await mkdir(outputDirectory);
      return { output: await engine.extract(input, context.signal), sha256 };
    };
    try {
      if (inspect) {
        await (fetched = this.source.download(context, path));
        await inspect(input);
      }
      // The timeline shows the position of the engine, not its address.
      return await chain.run(readBy, context.signal, (next, position, error) =>
        context.progress.fallBack(next.remote ? `${provider} (engine ${position + 1})` : 'local', error),
      );
    } catch (error) {
      throw error instanceof NoSourceError ? error.cause : error;
    } finally {
      await rm(path, { force: true });
    }
  }
}
