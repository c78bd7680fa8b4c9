// Has a file read by the first engine of a chain that can. The bytes are fetched once, and only when an engine is ready for them:
// a job that finds all of them busy costs storage nothing.
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

/** What is wrong with the source is wrong for every engine, and no fault of any. */
class NoSourceError extends Error {}

export class DocumentReader {
  constructor(private readonly source: SourceFile) {}

  /** The output lies in the run's directory. `inspect` sees the file before an engine is asked, and ends the read by what it throws. */
  async read(
    context: RunContext,
    chain: FallbackChain<Extractor>,
    provider: ExtractionProvider,
    inspect?: (input: ExtractionInput) => Promise<void>,
  ): Promise<ReadDocument> {
    const path = join(context.directory, 'source');
    const outputDirectory = join(context.directory, 'output');
    let fetched: Promise<string> | null = null;
    const contentType = context.file.content_type ?? 'application/octet-stream';
    const owner = context.job.tenant_id;
    const input = { path, filename: context.file.filename, contentType, outputDirectory, owner };
    const readBy = async (engine: Extractor): Promise<ReadDocument> => {
      fetched ??= this.source.download(context, path);
      const sha256 = await fetched.catch((cause: unknown) => {
        throw new NoSourceError('the source could not be fetched', { cause });
      });
      // Each engine finds the folder as empty as the first did.
      await rm(outputDirectory, { recursive: true, force: true });
      await mkdir(outputDirectory);
      return { output: await engine.extract(input, context.signal), sha256 };
    };
    try {
      if (inspect) {
        await (fetched = this.source.download(context, path));
        await inspect(input);
      }
      // Owners are told which of the engines it was, not where it stands.
      return await chain.run(readBy, context.signal, (next, position, error) =>
        context.fallBack(next.remote ? `${provider} (engine ${position + 1})` : 'local', error),
      );
    } catch (error) {
      throw error instanceof NoSourceError ? error.cause : error;
    } finally {
      await rm(path, { force: true });
    }
  }
}
