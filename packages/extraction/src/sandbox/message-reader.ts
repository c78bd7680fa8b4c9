import type {
  ExtractionInput,
  ExtractionOutput,
  PageImage,
  PageToDraw,
  StatedProperties,
} from '@kiln/readers/extractor';
import type { ExtractionLimits } from '@kiln/readers/limits';
import type { ChildPipe } from './child-pipe.js';
import {
  checkDrawn,
  checkPageImage,
  checkProperties,
  checkResult,
  checkThumbnail,
  untrustworthy,
  type ChildMessage,
  type Task,
} from './protocol.js';

export type Take<Result> = (answer: ChildMessage, pipe: ChildPipe, stopped: AbortSignal) => Promise<Result>;

/** Reads documents by messages to somebody whose answers are not trusted: a child, or an extractor on another machine. */
export abstract class MessageReader {
  protected abstract readonly limits: ExtractionLimits;

  protected abstract exchange<Result>(
    task: Task,
    input: ExtractionInput,
    signal: AbortSignal,
    take: Take<Result>,
  ): Promise<Result>;

  extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    return this.exchange({ task: 'extract' }, input, signal, async (answer, pipe, stopped) => {
      if (answer.type !== 'done') throw untrustworthy('it returned no document');
      const { pageCount, metadata, sizes } = checkResult(answer.result, this.limits);
      const paths = await pipe.files(sizes, input.outputDirectory, stopped);
      return { ...paths, markdownBytes: sizes.markdownPath, pageCount, metadata };
    });
  }

  countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null> {
    return this.exchange({ task: 'count_pages' }, input, signal, (answer) => {
      if (answer.type !== 'counted') throw untrustworthy('it returned no count');
      return Promise.resolve(answer.pageCount);
    });
  }

  makeThumbnail(input: ExtractionInput, signal: AbortSignal): Promise<Buffer | null> {
    return this.exchange({ task: 'make_thumbnail' }, input, signal, (answer) =>
      Promise.resolve(checkThumbnail(answer)),
    );
  }

  readProperties(input: ExtractionInput, signal: AbortSignal): Promise<StatedProperties | null> {
    return this.exchange({ task: 'read_properties' }, input, signal, (answer) =>
      Promise.resolve(checkProperties(answer)),
    );
  }

  drawPage(input: ExtractionInput, place: PageToDraw, signal: AbortSignal): Promise<PageImage> {
    return this.exchange({ task: 'draw_page', ...place }, input, signal, async (answer, pipe, stopped) => {
      const { pageCount, sizeBytes } = checkDrawn(answer);
      const png = sizeBytes === null ? null : checkPageImage(await pipe.bytes(sizeBytes, stopped));
      return { pageCount, png };
    });
  }
}
