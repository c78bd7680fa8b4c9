/**
 * The extractor port: one document on local disk in, one markdown file out. Local engines, the sandbox and remote
 * adapters all look like this, so that callers never know which one they talk to.
 */
export interface ExtractionInput {
  /** A local file; it is only read. */
  path: string;
  /** The name the owner gave it: used in messages and to tell source code apart, never as a path. */
  filename: string;
  contentType: string;
  /** An existing folder the extractor may fill. It belongs to the caller, who removes it. */
  outputDirectory: string;
  /** Whose document it is: owners take turns where engines are few. */
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
  /** ISO 639-1 where one exists, else ISO 639-3; null when the text is too short to tell. */
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
  /** Null for a type whose pages can't be told without reading all of it. Throws as `extract` does. */
  countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null>;
}
