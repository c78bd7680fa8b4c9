import type { ExtractionInput, ExtractionOutput } from '@kiln/readers/extractor';
import { foreignMarkdown, type ForeignText } from '@kiln/readers/result/foreign-markdown';
import { writeExtraction } from './write-extraction.js';

/** @throws ExtractionError file_too_large */
export function writeForeignText(
  input: ExtractionInput,
  text: ForeignText,
  outputBytesMax: number,
): Promise<ExtractionOutput> {
  const found = foreignMarkdown(text);
  const { language } = text;
  return writeExtraction(
    input,
    { ...found, pageCount: found.pages?.length ?? null, language, details: {} },
    outputBytesMax,
  );
}
