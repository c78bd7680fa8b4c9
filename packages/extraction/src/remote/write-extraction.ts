// Writes the result of a remote engine to the files that the extractor port defines.
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { formatBytes } from '@kiln/pdf/format-bytes';
import type { ExtractionInput, ExtractionOutput } from '@kiln/readers/extractor';
import { writeFiles, type Finding } from '@kiln/readers/write-files';

/** @throws ExtractionError file_too_large */
export async function writeExtraction(
  input: ExtractionInput,
  found: Finding,
  outputBytesMax: number,
): Promise<ExtractionOutput> {
  const markdownBytes = Buffer.byteLength(found.markdown);
  if (markdownBytes > outputBytesMax) throw tooMuchText(input.filename, outputBytesMax);
  return writeFiles(input, found, markdownBytes);
}

export function tooMuchText(filename: string, outputBytesMax: number): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `"${filename}" becomes more than ${formatBytes(outputBytesMax)} of markdown. Split it into smaller files.`,
  );
}
