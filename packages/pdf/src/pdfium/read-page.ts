import type { Box, PageContent, Word } from '../page-model.js';
import type { Glyph } from '../words/glyph.js';
import { Frame, mainRotation, rotationBetween } from '../words/upright.js';
import { isGarbledText, noLetters, readableLetters } from '../words/readable-letters.js';
import { wordsOf } from '../words/words-of.js';
import { glyphsWithTypedText, hasTypedText } from './form-fields.js';
import { isPictureOfText } from './page-pictures.js';
import { type PageLink, readLinks } from './read-links.js';
import { readGlyphs } from './read-glyphs.js';
import { readRules } from './read-rules.js';
import { readStructure } from './read-structure.js';
import { type RawPdfium, ResultBuffer } from './raw-pdfium.js';

export interface ReadPage {
  content: PageContent;
  /** Whether the text of the page must be recognized. */
  isPicture: boolean;
  /** Whether most of its text cannot be read, because its fonts do not state their characters. */
  isGarbled: boolean;
}

/** Reads the pages of one document. */
export class PageReader {
  private readonly buffer: ResultBuffer;
  private readonly isTagged: boolean;

  constructor(
    private readonly pdfium: RawPdfium,
    private readonly document: number,
  ) {
    this.buffer = new ResultBuffer(pdfium);
    this.isTagged = pdfium.FPDFCatalog_IsTagged(document) !== 0;
  }

  /** The content of a page. Null for a page that pdfium cannot read. Pages count from 1. */
  read(number: number): ReadPage | null {
    return this.onPage(number, (page) => {
      const { pdfium, buffer } = this;
      const { frame, rotation, own, isPicture, isGarbled } = this.look(page);
      const links = readLinks(pdfium, this.document, page, buffer, frame);
      const content = {
        width: frame.width,
        height: frame.height,
        rotation: rotationBetween(rotation, pdfium.FPDFPage_GetRotation(page)),
        ...own,
        rules: own.words.length === 0 ? [] : readRules(pdfium, page, buffer, frame),
        structure: this.isTagged ? readStructure(pdfium, page, buffer) : null,
      };
      // A picture is drawn with its annotations. The others are read last, because this changes the page.
      const typed = isPicture ? null : this.glyphsWithTypedText(page, number);
      if (typed !== null) Object.assign(content, wordsOf(typed, frame, rotation));
      addLinks(content.words, links);
      return { content, isPicture, isGarbled };
    });
  }

  /** Whether the text of a page must be recognized. False for a page that pdfium cannot read. */
  isPicture(number: number): boolean {
    return this.onPage(number, (page) => this.look(page).isPicture) ?? false;
  }

  private onPage<Result>(number: number, use: (page: number) => Result): Result | null {
    const page = this.pdfium.FPDF_LoadPage(this.document, number - 1);
    if (page === 0) return null;
    try {
      return use(page);
    } finally {
      this.pdfium.FPDF_ClosePage(page);
    }
  }

  private look(page: number) {
    const { pdfium, buffer } = this;
    const { glyphs, runs } = readGlyphs(pdfium, page, buffer);
    const rotation = mainRotation(runs);
    const frame = new Frame(this.bounds(page), rotation);
    const own = wordsOf(glyphs, frame, rotation);
    const isGarbled = isGarbledText(own.words, runs);
    const letters = isGarbled ? noLetters : readableLetters(own.words, frame.height);
    return { frame, rotation, own, isGarbled, isPicture: isPictureOfText(pdfium, page, buffer, letters) };
  }

  private glyphsWithTypedText(page: number, number: number): Glyph[] | null {
    const { pdfium, document, buffer } = this;
    if (!hasTypedText(pdfium, page)) return null;
    return glyphsWithTypedText(pdfium, { document, page, number }, buffer)?.glyphs ?? null;
  }

  close(): void {
    this.buffer.free();
  }

  private bounds(page: number): Box {
    const { pdfium, buffer } = this;
    pdfium.FPDF_GetPageBoundingBox(page, buffer.pointer);
    return { left: buffer.float(0), top: buffer.float(1), right: buffer.float(2), bottom: buffer.float(3) };
  }
}

/** Links are found by bands of their height, so that the work is linear in words and links. */
function addLinks(words: readonly Word[], links: readonly PageLink[]): void {
  if (links.length === 0) return;
  const bandHeight = 20;
  const bands = new Map<number, { box: Box; address: string }[]>();
  for (const { address, boxes } of links)
    for (const box of boxes)
      for (
        let band = Math.floor(box.top / bandHeight);
        band <= Math.min(box.bottom, box.top + 1000) / bandHeight;
        band++
      )
        bands.set(band, [...(bands.get(band) ?? []), { box, address }].slice(-200));
  for (const word of words) {
    const [x, y] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2];
    const link = bands
      .get(Math.floor(y / bandHeight))
      ?.find(({ box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
    word.link = link?.address ?? null;
  }
}
