// The documents of the pipeline bench. Each small document contains a unique word, so that a search can prove that it is indexed.
import { PDFDocument, StandardFonts } from 'pdf-lib';

export interface BenchDocument {
  filename: string;
  contentType: string;
  bytes: Buffer;
  /** The unique word of the document. */
  word: string;
}

const WORDS =
  'river stone furnace ledger harvest signal copper meadow archive vessel lantern orchard granite harbor'.split(' ');

let made = 0;

/** Letters only, so that the text analyzer keeps it as one word. */
function uniqueWord(): string {
  const digits = (made++ + 456_976).toString(26);
  return `kq${digits
    .split('')
    .map((digit) => String.fromCharCode(97 + parseInt(digit, 26)))
    .join('')}x`;
}

function prose(bytes: number, seed: number): string {
  const lines: string[] = [];
  for (let length = 0, at = seed; length < bytes; at++) {
    const words = Array.from({ length: 14 }, (_, index) => WORDS[(at * 31 + index * (seed + 3)) % WORDS.length]);
    const line = `${words.join(' ')}.`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n').slice(0, bytes);
}

export function markdownDocument(bytes: number): BenchDocument {
  const word = uniqueWord();
  const text = `# Report ${word}\n\n${prose(Math.max(0, bytes - word.length - 12), made)}`;
  return { filename: `${word}.md`, contentType: 'text/markdown', bytes: Buffer.from(text), word };
}

/** Sizes from 1 KB to 5 MB, many small and few large ones, like real folders. */
export function mixedDocuments(): BenchDocument[] {
  const sizes: [bytes: number, count: number][] = [
    [1_000, 60],
    [10_000, 25],
    [100_000, 10],
    [1_000_000, 4],
    [5_000_000, 1],
  ];
  return sizes.flatMap(([bytes, count]) => Array.from({ length: count }, () => markdownDocument(bytes)));
}

export async function pdfDocument(pages: number): Promise<BenchDocument> {
  const word = uniqueWord();
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 0; page < pages; page++) {
    const text = `${page === 0 ? `Report ${word}\n` : ''}${prose(2_400, page)}`;
    document.addPage([595, 842]).drawText(text, { x: 50, y: 790, size: 9, lineHeight: 13, font });
  }
  return { filename: `${word}.pdf`, contentType: 'application/pdf', bytes: Buffer.from(await document.save()), word };
}
