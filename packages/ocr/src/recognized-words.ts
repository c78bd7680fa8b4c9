/** Reads Tesseract's result (`TessBaseAPI::GetJSONText`). */
import { z } from 'zod';
import { sizeOf } from './font-size.js';
import type { PixelBox } from './letter-shapes.js';
import { splitSymbols } from './split-words.js';

/** Lengths are pixels of the picture that was recognized. */
export interface RecognizedWord extends PixelBox {
  text: string;
  /** From 0 to 100. */
  confidence: number;
}

export interface RecognizedLine {
  words: RecognizedWord[];
  baseline: number;
  /** The height of the font. */
  size: number;
  /** The thickness of strokes, in multiples of the size. 0 if it was not measured. */
  weight: number;
}

const sureSymbolMin = 97;

const box = z.object({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() });
const wordSchema = z.object({
  bbox: box,
  text: z.string(),
  confidence: z.number(),
  symbols: z.array(z.object({ bbox: box, text: z.string(), confidence: z.number() })).default([]),
});
const resultSchema = z.object({
  blocks: z
    .array(
      z.object({
        paragraphs: z.array(
          z.object({
            lines: z.array(
              z.object({
                baseline: box,
                words: z.array(wordSchema),
              }),
            ),
          }),
        ),
      }),
    )
    .nullish(),
});

export function recognizedLines(json: string): RecognizedLine[] {
  const { blocks } = resultSchema.parse(JSON.parse(json));
  const lines = (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines));
  return lines.flatMap(({ words: found, baseline: { y0, y1 } }) => {
    const words = found.map(wordOf).filter(({ text }) => text !== '');
    const baseline = (y0 + y1) / 2;
    if (words.length === 0) return [];
    const size = sizeOf(words, baseline);
    return [{ words: found.flatMap((word) => dividedWords(word, size)), baseline, size, weight: 0 }];
  });
}

type FoundWord = z.infer<typeof wordSchema>;

function wordOf({ text, confidence, bbox, symbols }: FoundWord): RecognizedWord {
  return { text: text.trim(), confidence: Math.max(confidence, symbolConfidence(symbols)), ...boxOf(bbox) };
}

/**
 * The lowest confidence of the symbols, if it is high enough. A word that is in no dictionary, such as `1.0kg`, has a
 * lower confidence than its symbols. Symbols that Tesseract reads in noise have a low confidence.
 */
function symbolConfidence(symbols: FoundWord['symbols']): number {
  const least = Math.min(...symbols.map(({ text, confidence }) => (text.trim() === '' ? 0 : confidence)));
  return symbols.length >= 2 && least >= sureSymbolMin ? least : 0;
}

function boxOf({ x0, y0, x1, y1 }: z.infer<typeof box>): PixelBox {
  return { left: x0, top: y0, right: x1, bottom: y1 };
}

/** One word, or the words that were joined to it. */
function dividedWords(found: FoundWord, size: number): RecognizedWord[] {
  const word = wordOf(found);
  const symbols = found.symbols
    .map(({ text, bbox }) => ({ text, ...boxOf(bbox) }))
    .filter(({ text }) => text.trim() !== '');
  const parts = splitSymbols(symbols, size);
  if (word.text === '') return [];
  if (parts.length < 2 || symbols.map(({ text }) => text).join('') !== word.text) return [word];
  return parts.map((part) => ({
    text: part.map(({ text }) => text).join(''),
    confidence: word.confidence,
    left: Math.min(...part.map(({ left }) => left)),
    top: Math.min(...part.map(({ top }) => top)),
    right: Math.max(...part.map(({ right }) => right)),
    bottom: Math.max(...part.map(({ bottom }) => bottom)),
  }));
}
