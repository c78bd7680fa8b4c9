/**
 * The extractor port: it reads a document on the local disk and writes a markdown file. Local engines, the sandbox and
 * remote engines implement it, so callers do not depend on any of them.
 */
export interface ExtractionInput {
  /** A local file. The extractor does not change it. */
  path: string;
  /** The filename that the owner gave. Used in messages and to recognize source code, not as a path. */
  filename: string;
  contentType: string;
  /** An existing folder for the results. The caller removes it. */
  outputDirectory: string;
  /** The owner of the document. Owners share a limited number of engines fairly. */
  owner?: string;
}

export interface ExtractionOutput {
  markdownPath: string;
  markdownBytes: number;
  /** The number of pages or slides. Null if the type has no pages, or has them only after layout (docx). */
  pageCount: number | null;
  metadata: DocumentMetadata;
  /** A JSON array of {@link PageSpan} for pages, slides or sheets. Null if the type has none. */
  pagesPath: string | null;
}

export interface DocumentMetadata {
  title: string | null;
  author: string | null;
  page_count: number | null;
  /** ISO 639-1 if the language has such a code, otherwise ISO 639-3. Null if the text is too short to detect it. */
  language: string | null;
  word_count: number;
  /** Type-specific fields: `row_count` of a csv, `front_matter` of markdown, `producer` of a pdf … */
  [field: string]: unknown;
}

export interface Extractor {
  readonly name: string;
  supports(contentType: string): boolean;
  /**
   * @throws ExtractionError for every fault of the file or of the extraction.
   * @throws the reason of the signal when it is aborted.
   */
  extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput>;
}

export interface PageCounter {
  /** Null for a type whose pages cannot be counted without reading the whole file. Throws the same errors as `extract`. */
  countPages(input: ExtractionInput, signal: AbortSignal): Promise<number | null>;
}

/** The properties that a document states, without its text. */
export interface StatedProperties {
  title: string | null;
  author: string | null;
  language: string | null;
  /** The same fields as in {@link DocumentMetadata}. */
  details: Record<string, unknown>;
}

export interface PropertyReader {
  /** Null for a type whose properties cannot be read without its text. Throws the same errors as `extract`. */
  readProperties(input: ExtractionInput, signal: AbortSignal): Promise<StatedProperties | null>;
}

export interface ThumbnailMaker {
  /**
   * A WebP image of the first page, slide, sheet or frame. Null for a document without a picture of itself. Writes no file.
   * Throws the same errors as `extract`.
   */
  makeThumbnail(input: ExtractionInput, signal: AbortSignal): Promise<Buffer | null>;
}

export interface PageToDraw {
  /** Counts from 1. */
  page: number;
  /** Pixels. A page that would have too many of them is drawn narrower. */
  width: number;
}

export interface PageImage {
  pageCount: number;
  /** Null: the document has fewer pages. */
  png: Buffer | null;
}

export interface PageDrawer {
  /** Draws a page of a PDF or an image. Throws the same errors as `extract`, and `unsupported_type` for other types. Writes no file. */
  drawPage(input: ExtractionInput, place: PageToDraw, signal: AbortSignal): Promise<PageImage>;
}
