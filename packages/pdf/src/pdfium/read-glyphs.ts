import type { TextStyle } from '../page-model.js';
import { shownText, styleOf } from '../words/text-style.js';
import type { Glyph, GlyphRun } from '../words/glyph.js';
import { nearestRightAngle } from '../words/upright.js';
import type { RawPdfium, ResultBuffer } from './raw-pdfium.js';

/** Glyphs beyond this number are not read. The densest printed pages have some 20,000. */
const glyphsMax = 400_000;
/** pdfium marks a hyphen at the end of a line with this character. */
const hyphenAtLineEnd = 2;
const fillAndStroke = 2;

export interface PageGlyphs {
  glyphs: Glyph[];
  runs: GlyphRun[];
}

/** The glyphs of a page in the order of the file, in the coordinates of the page, where `y` grows upwards. */
export function readGlyphs(pdfium: RawPdfium, page: number, buffer: ResultBuffer): PageGlyphs {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return { glyphs: [], runs: [] };
  try {
    const count = Math.min(pdfium.FPDFText_CountChars(text), glyphsMax);
    const runs = new RunReader(pdfium, text, buffer);
    const glyphs: Glyph[] = [];
    for (let index = 0; index < count; index++) {
      const unicode = pdfium.FPDFText_GetUnicode(text, index);
      const object = pdfium.FPDFText_GetTextObject(text, index);
      if (object === 0 || (unicode <= 32 && unicode !== hyphenAtLineEnd)) {
        glyphs.push(unicode === 10 || unicode === 13 ? lineEnd : space);
        continue;
      }
      const run = runs.at(index, object);
      run.glyphs++;
      pdfium.FPDFText_GetLooseCharBox(text, index, buffer.pointer);
      glyphs.push({
        text: unicode === hyphenAtLineEnd ? '-' : shownText(unicode, run.style),
        isLineEnd: false,
        left: buffer.float(0),
        top: buffer.float(1),
        right: buffer.float(2),
        bottom: buffer.float(3),
        run,
      });
    }
    return { glyphs, runs: runs.all };
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

const space: Glyph = { text: ' ', isLineEnd: false, left: 0, top: 0, right: 0, bottom: 0, run: null };
const lineEnd: Glyph = { ...space, isLineEnd: true };

/** Reads the properties that all glyphs of a text object share. */
class RunReader {
  readonly all: GlyphRun[] = [];
  private readonly styles = new Map<string, TextStyle>();
  private object = 0;
  private run: GlyphRun | null = null;

  constructor(
    private readonly pdfium: RawPdfium,
    private readonly text: number,
    private readonly buffer: ResultBuffer,
  ) {}

  at(index: number, object: number): GlyphRun {
    if (this.run !== null && object === this.object) return this.run;
    this.object = object;
    this.run = this.read(index, object);
    this.all.push(this.run);
    return this.run;
  }

  private read(index: number, object: number): GlyphRun {
    const { pdfium, text, buffer } = this;
    pdfium.FPDFText_GetMatrix(text, index, buffer.pointer);
    const [a, b, c, d] = [buffer.float(0), buffer.float(1), buffer.float(2), buffer.float(3)];
    pdfium.FPDFText_GetCharOrigin(text, index, buffer.pointer, buffer.pointer + 8);
    const [originX, originY] = [buffer.double(0), buffer.double(1)];
    return {
      glyphs: 0,
      rotation: nearestRightAngle((Math.atan2(b, a) * 180) / Math.PI),
      size: pdfium.FPDFText_GetFontSize(text, index) * Math.hypot(c, d),
      originX,
      originY,
      style: this.style(index, object),
      contentId: pdfium.FPDFPageObj_GetMarkedContentID(object),
      // Read from the first glyph for all: 0 for no, -1 for a fault.
      isUnmapped: pdfium.FPDFText_HasUnicodeMapError(text, index) === 1,
    };
  }

  private style(index: number, object: number): TextStyle {
    const { pdfium, text, buffer } = this;
    const isStroked = pdfium.FPDFTextObj_GetTextRenderMode(object) === fillAndStroke;
    const key = `${pdfium.FPDFTextObj_GetFont(object)} ${isStroked}`;
    let style = this.styles.get(key);
    if (style === undefined) {
      const name = buffer.pointer + 8;
      const bytes = pdfium.FPDFText_GetFontInfo(text, index, name, buffer.bytes - 8, buffer.pointer);
      style = styleOf(buffer.text(bytes, 'utf8', 8), buffer.integer(0), isStroked);
      this.styles.set(key, style);
    }
    return style;
  }
}
