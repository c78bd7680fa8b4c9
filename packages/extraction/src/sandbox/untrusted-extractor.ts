/** What an untrusted process can be asked, and what of its answers is believed. */
import type { ExtractionInput, ExtractionOutput, StatedProperties } from '../extractor.js';
import type { ExtractionLimits } from '../limits.js';
import type { ChildPipe } from './child-pipe.js';
import {
  checkProperties,
  checkResult,
  checkThumbnail,
  untrustworthy,
  type ChildMessage,
  type JobMessage,
} from './protocol.js';

export type Take<Result> = (answer: ChildMessage, pipe: ChildPipe, stopped: AbortSignal) => Promise<Result>;

export abstract class UntrustedExtractor {
  protected constructor(private readonly resultLimits: ExtractionLimits) {}

  /** Sends the document to the process. `take` reads an answer that reports no failure. */
  protected abstract exchange<Result>(
    task: JobMessage['task'],
    input: ExtractionInput,
    signal: AbortSignal,
    take: Take<Result>,
  ): Promise<Result>;

  extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    return this.exchange('extract', input, signal, async (answer, pipe, stopped) => {
      if (answer.type !== 'done') throw untrustworthy('it returned no document');
      const { pageCount, metadata, sizes } = checkResult(answer.result, this.resultLimits);
      const paths = await pipe.files(sizes, input.outputDirectory, stopped);
      return { ...paths, markdownBytes: sizes.markdownPath, pageCount, metadata };
    });
  }

  countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null> {
    return this.exchange('count_pages', input, signal, async (answer) => {
      if (answer.type !== 'counted') throw untrustworthy('it returned no count');
      return answer.pageCount;
    });
  }

  makeThumbnail(input: ExtractionInput, signal: AbortSignal): Promise<Buffer | null> {
    return this.exchange('make_thumbnail', input, signal, async (answer) => checkThumbnail(answer));
  }

  readProperties(input: ExtractionInput, signal: AbortSignal): Promise<StatedProperties | null> {
    return this.exchange('read_properties', input, signal, async (answer) => checkProperties(answer));
  }
}
