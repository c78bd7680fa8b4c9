import type { DocumentMetadata } from '../extractor.js';
import { boundedFields, boundedText } from './bounded-fields.js';
import { countWords } from './count-words.js';
import { detectLanguage } from '@kiln/ocr/detect-language';
import { firstHeading } from '@kiln/pdf/markdown/heading-text';

/** The properties that an engine found in a document, and its text. */
export interface FoundMetadata {
  markdown: string;
  title: string | null;
  author: string | null;
  pageCount: number | null;
  /** The language that the document or the engine declares. Null if it must be detected. */
  language: string | null;
  /** Whether the markdown only describes the file. */
  isDescription?: boolean;
  /** Fields of this type of document. */
  details: Readonly<Record<string, unknown>>;
}

export function documentMetadata(found: FoundMetadata): DocumentMetadata {
  const isDescription = found.isDescription === true;
  return {
    ...boundedFields(found.details),
    title: textOrNull(found.title) ?? firstHeading(found.markdown),
    author: textOrNull(found.author),
    page_count: found.pageCount,
    language: found.language ?? (isDescription ? null : detectLanguage(found.markdown)),
    word_count: isDescription ? 0 : countWords(found.markdown),
  };
}

function textOrNull(text: string | null): string | null {
  return text === null || text === '' ? null : boundedText(text);
}
