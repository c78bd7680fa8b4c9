import type { PageBlocks } from './headings/find-headings.js';
import { StyleCensus } from './headings/style-census.js';
import { pageBlocks } from './layout/page-blocks.js';
import { pairedHeads } from './layout/paired-heads.js';
import { shownPieces, shownSizeOf } from './layout/page-pieces.js';
import { neighbourPages, RunningLines } from './layout/running-lines.js';
import { LineJoiner } from './markdown/join-lines.js';
import type { PageContent, Word } from './page-model.js';
import type { PageRecognizer } from './page-recognizer.js';
import type { PdfDocument } from './pdfium-document.js';
import { PageReader } from './pdfium/read-page.js';

/**
 * Reads the pages of a document into blocks. Some neighbouring pages are held in memory, because they show which lines
 * are running lines.
 */
export class DocumentReader {
  readonly census = new StyleCensus();
  private readonly reader: PageReader;
  private readonly running = new RunningLines();
  private readonly joiner = new LineJoiner();
  /** Running heads of a document of two pages. */
  private paired: ReadonlySet<Word> = new Set();
  private readonly ahead: { number: number; content: PageContent | null }[] = [];

  constructor(
    private readonly document: PdfDocument,
    private readonly recognizer: PageRecognizer | undefined,
  ) {
    this.reader = new PageReader(document.pdfium, document.pointer);
  }

  async *pages(): AsyncGenerator<PageBlocks> {
    for (let number = 1; number <= this.document.pageCount; number++) {
      const content = await this.read(number);
      if (content !== null) {
        this.running.see(number, content);
        this.joiner.learn(content.words);
      }
      this.ahead.push({ number, content });
      if (this.ahead.length > neighbourPages) yield this.next();
    }
    this.findPairedHeads();
    while (this.ahead.length > 0) yield this.next();
  }

  close(): void {
    this.reader.close();
  }

  private async read(number: number): Promise<PageContent | null> {
    const page = this.reader.read(number);
    if (page === null) return null;
    return page.isPicture && this.recognizer !== undefined ? this.recognizer.read(number, page) : page.content;
  }

  private findPairedHeads(): void {
    const [first, second] = this.ahead;
    if (this.document.pageCount !== 2 || !first?.content || !second?.content) return;
    this.paired = pairedHeads(first.content, second.content);
  }

  private next(): PageBlocks {
    const page = this.ahead.shift();
    if (page === undefined) throw new RangeError('no page was read');
    const { number, content } = page;
    if (content === null) return { number, blocks: [], shown: null };
    const { blocks, pieces } = pageBlocks(content, new Set([...this.running.on(number), ...this.paired]), {
      joiner: this.joiner,
      readsCode: this.census.body()?.isMono !== true,
    });
    for (const block of blocks) this.census.addBlock(block);
    return { number, blocks, shown: { ...shownSizeOf(content), pieces: shownPieces(pieces, content) } };
  }
}
