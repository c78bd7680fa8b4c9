/** Writes a PDF of one page that has texts, boxes and lines. pdfium draws it, so that no font has to be installed. */
import { codeOf, widthOf } from './helvetica.js';

export interface TextStyle {
  size: number;
  isBold?: boolean;
  /** 0 is black, 1 is white. */
  grey?: number;
}

const placeholderGrey = 0.72;

/** Points from the upper left corner. */
export class SketchPage {
  private readonly operators: string[] = [];

  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  /** A bar stands for characters that the font lacks. `top`: where the letters begin. */
  text(text: string, left: number, top: number, { size, isBold = false, grey = 0.1 }: TextStyle): void {
    const baseline = this.height - top - size * 0.8;
    let x = left;
    for (const { piece, isKnown } of runsOf(text)) {
      const width = widthOf(piece, size, isBold);
      if (isKnown) this.letters(piece, { x, baseline }, { size, isBold, grey });
      else this.box(x, top + size * 0.25, width * 0.94, size * 0.5, placeholderGrey);
      x += width;
    }
  }

  box(left: number, top: number, width: number, height: number, grey: number): void {
    const place = [left, this.height - top - height, width, height].map(decimal).join(' ');
    this.operators.push(`${decimal(grey)} g ${place} re f`);
  }

  line(fromLeft: number, fromTop: number, toLeft: number, toTop: number): void {
    const [from, to] = [
      [fromLeft, fromTop],
      [toLeft, toTop],
    ].map(([x = 0, y = 0]) => `${decimal(x)} ${decimal(this.height - y)}`);
    this.operators.push(`0.75 G 0.8 w ${from} m ${to} l S`);
  }

  pdf(): Buffer {
    const content = this.operators.join('\n');
    const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
    return pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${this.width} ${this.height}]/Contents 4 0 R/Resources<</Font<</R 5 0 R/B 6 0 R>>>>>>`,
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      font('Helvetica'),
      font('Helvetica-Bold'),
    ]);
  }

  private letters(
    text: string,
    { x, baseline }: { x: number; baseline: number },
    { size, isBold, grey }: Required<TextStyle>,
  ): void {
    const codes = Array.from(text, (character) => (codeOf(character) ?? 0x20).toString(16).padStart(2, '0')).join('');
    const font = isBold ? 'B' : 'R';
    this.operators.push(
      `BT ${decimal(grey)} g /${font} ${decimal(size)} Tf ${decimal(x)} ${decimal(baseline)} Td <${codes}> Tj ET`,
    );
  }
}

/** Runs of characters that the font has, or lacks. */
function* runsOf(text: string): Generator<{ piece: string; isKnown: boolean }> {
  let piece = '';
  let isKnown = true;
  for (const character of text) {
    // A space between two missing words is a gap between their bars.
    const isNextKnown = codeOf(character) !== null;
    if (isNextKnown !== isKnown && piece !== '') {
      yield { piece, isKnown };
      piece = '';
    }
    isKnown = isNextKnown;
    piece += character;
  }
  if (piece !== '') yield { piece, isKnown };
}

const decimal = (value: number): string => String(Math.round(value * 100) / 100);

/** The objects from number 1 on, with their table (ISO 32000-1, 7.5). The text is ASCII. */
function pdfOf(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}
