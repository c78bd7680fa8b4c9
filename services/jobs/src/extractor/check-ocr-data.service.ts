// Whether there are data of each language of recognition. A process that lacks some does not start.
import { statSync } from 'node:fs';
import { problemOfLanguageData } from '@kiln/ocr/language-data-check';
import { dataFile, isShipped, shippedLanguages } from '@kiln/ocr/ocr-languages';
import type { z } from 'zod';
import type { ExtractionConfig } from './extraction.config.js';

type OcrVariables = Pick<ExtractionConfig, 'KILN_OCR_LANGUAGES' | 'KILN_OCR_DATA_DIR'> & {
  readonly KILN_EXTRACTOR_URL?: string | undefined;
};

/** For `superRefine`. A worker with extractors recognizes nothing itself. */
export function checkOcrData(given: OcrVariables, context: z.RefinementCtx): void {
  if (given.KILN_EXTRACTOR_URL !== undefined) return;
  const complain = (name: keyof OcrVariables, message: string): void => {
    context.addIssue({ code: 'custom', path: [name], message });
  };
  const directory = given.KILN_OCR_DATA_DIR;
  if (directory !== undefined && !isDirectory(directory))
    return complain(
      'KILN_OCR_DATA_DIR',
      `names ${directory}, which is no directory that this process can read. Mount it, correct the path, or unset the variable`,
    );
  for (const language of new Set(given.KILN_OCR_LANGUAGES.filter((name) => !isShipped(name)))) {
    const problem = problemOf(language, directory);
    if (problem !== null) complain('KILN_OCR_LANGUAGES', problem);
  }
}

function problemOf(language: string, directory: string | undefined): string | null {
  const shipped = shippedLanguages.join(', ');
  if (directory === undefined)
    return `names ${language}, which is not shipped (${shipped} are). Set KILN_OCR_DATA_DIR to a directory with ${language}.traineddata, or remove ${language}`;
  const path = dataFile(directory, language);
  const problem = problemOfLanguageData(path);
  if (problem === null) return null;
  return `names ${language}, but ${path} ${problem}. Put Tesseract's data of the language there (on Debian, the package tesseract-ocr-${packageName(language)} has them), or remove ${language}; ${shipped} need no data`;
}

/** Debian's names have no underscores. */
function packageName(language: string): string {
  return language.toLowerCase().replaceAll('_', '-');
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
