/**
 * The extractor port: one document on local disk in, one markdown file out. Local engines, the sandbox and remote
 * adapters implement it, so that callers do not depend on any of them.
 */
export interface ExtractionInput {
  /** A local file, which is not changed. */
  path: string;
  /** The owner's filename: used in messages and to recognize source code, never as a path. */
  filename: string;
  contentType: string;
  /** An existing folder the extractor may fill. It belongs to the caller, who removes it. */
  outputDirectory: string;
  /** The owner of the document. Owners share a limited number of engines fairly. */
  owner?: string;
}

export interface ExtractionOutput {
  markdownPath: string;
  markdownBytes: number;
  /** Null when the type has no pages, or when they only exist once laid out (docx). */
  pageCount: number | null;
  metadata: DocumentMetadata;
  /** A JSON array of {@link PageSpan}; null when the type has no pages. */
  pagesPath: string | null;
}

export interface DocumentMetadata {
  title: string | null;
  author: string | null;
  page_count: number | null;
  /** ISO 639-1 if it exists, otherwise ISO 639-3. Null when the text is too short to detect it. */
  language: string | null;
  word_count: number;
  /** Type-specific fields: `row_count` of a csv, `front_matter` of markdown, `producer` of a pdf … */
  [field: string]: unknown;
}

/** Where a page's text lies: `markdown.slice(start, end)`, counted in UTF-16 units. Pages count from 1. */
export interface PageSpan {
  page: number;
  start: number;
  end: number;
}

export interface Extractor {
  readonly name: string;
  supports(contentType: string): boolean;
  /**
   * @throws ExtractionError for everything that is wrong with the file or the run.
   * @throws the signal's reason when it was aborted.
   */
  extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput>;
}

export interface PageCounter {
  /** Null for a type whose pages cannot be counted without reading all of it. Throws as `extract` does. */
  countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null>;
}
