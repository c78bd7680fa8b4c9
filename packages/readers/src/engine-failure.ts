import type { DocumentKind } from '@kiln/file-types/content-type';
import { damagedFile, ExtractionError } from '@kiln/pdf/extraction-error';

const names: Readonly<Record<DocumentKind, string>> = {
  pdf: 'a PDF',
  docx: 'a Word document',
  pptx: 'a presentation',
  xlsx: 'a workbook',
  odt: 'an OpenDocument text',
  odp: 'an OpenDocument presentation',
  ods: 'an OpenDocument spreadsheet',
  eml: 'an e-mail',
  msg: 'an Outlook message',
  epub: 'a book',
  ipynb: 'a notebook',
  rtf: 'Rich Text',
  image: 'an image',
  audio: 'a recording',
  result: 'the result of an extractor',
  html: 'an HTML page',
  csv: 'a table of values',
  markdown: 'markdown',
  text: 'text',
};
/** Faults of the machine. The file may succeed later. */
const machineFaults = new Set(['ENOENT', 'EACCES', 'EIO', 'ENOSPC', 'EMFILE', 'ENFILE', 'EROFS', 'ENOMEM', 'EBUSY']);

/**
 * The error that the owner of the file receives when a library throws. A file that a library cannot parse is corrupt.
 */
export function toExtractionError(error: unknown, kind: DocumentKind, filename: string, signal: AbortSignal): unknown {
  if (error instanceof ExtractionError) return error;
  if (signal.aborted) return signal.reason;
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return new ExtractionError(
      'file_too_large',
      `"${filename}" is nested too deeply to be read. Flatten its structure, or convert it to PDF or plain text.`,
      { cause: error },
    );
  }
  if (error instanceof RangeError && /string length|array length|array buffer/i.test(error.message)) {
    return new ExtractionError(
      'file_too_large',
      `"${filename}" is too large to be read in one piece. Split it into smaller files.`,
      { cause: error },
    );
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && machineFaults.has(error.code)) {
    return new ExtractionError('internal', `Reading "${filename}" failed on our side (${error.code}). Try again.`, {
      cause: error,
    });
  }
  return corruptFile(kind, filename, error);
}

export function corruptFile(kind: DocumentKind, filename: string, cause?: unknown): ExtractionError {
  return damagedFile(names[kind], filename, cause);
}
