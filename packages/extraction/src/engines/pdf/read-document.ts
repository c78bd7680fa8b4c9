import type { PageBlocks } from './headings/find-headings.js';
import { StyleCensus } from './headings/style-census.js';
import type { Block } from './layout/block.js';
import { pageBlocks } from './layout/page-blocks.js';
import { neighbourPages, RunningLines } from './layout/running-lines.js';
import { LineJoiner } from './markdown/join-lines.js';
import type { PageContent } from './page-model.js';
import type { PdfDocument } from './pdfium-document.js';
import { PageReader } from './pdfium/read-page.js';

/** Reads the pages of a document into blocks. A few pages are held at a time, because running lines show on their neighbours. */
export class DocumentReader {
  readonly census = new StyleCensus();
  private readonly reader: PageReader;
  private readonly running = new RunningLines();
  private readonly joiner = new LineJoiner();
  private readonly ahead: { number: number; content: PageContent | null }[] = [];

  constructor(private readonly document: PdfDocument) {
    this.reader = new PageReader(document.pdfium, document.pointer);
  }

  *pages(): Generator<PageBlocks> {
    for (let number = 1; number <= this.document.pageCount; number++) {
      const content = this.reader.read(number);
      if (content !== null) {
        this.running.see(number, content);
        this.joiner.learn(content.words);
      }
      this.ahead.push({ number, content });
      if (this.ahead.length > neighbourPages) yield this.next();
    }
    while (this.ahead.length > 0) yield this.next();
  }

  close(): void {
    this.reader.close();
  }

  private next(): PageBlocks {
    const page = this.ahead.shift();
    if (page === undefined) throw new RangeError('no page was read');
    const { number, content } = page;
    if (content === null) return { number, blocks: [] };
    const blocks = pageBlocks(content, this.running.on(number), {
      joiner: this.joiner,
      readsCode: this.census.body()?.isMono !== true,
    });
    for (const block of blocks) this.count(block);
    return { number, blocks };
  }

  private count(block: Block): void {
    if (block.kind === 'text') return this.census.add({ ...block, isMono: block.code !== null });
    const { rows, size } = block.table;
    // In documents that consist mostly of tables, the tables show the size of the text.
    const letters = rows.reduce((sum, row) => sum + row.reduce((count, cell) => count + cell.length, 0), 0) / 2;
    this.census.add({ size, letters, isBold: false, isMono: false });
  }
}
