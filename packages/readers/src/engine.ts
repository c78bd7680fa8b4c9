import type { DocumentKind } from '@kiln/file-types/content-type';
import type { PageSpan } from '@kiln/pdf/markdown/paged-text';
import type { ExtractionLimits } from './limits.js';
import type { OcrSettings } from '@kiln/ocr/ocr-settings';

/** The input of an engine. The caller has checked that the file exists and is not too large. */
export interface EngineInput {
  path: string;
  filename: string;
  contentType: string;
  bytes: number;
  limits: ExtractionLimits;
  ocr: OcrSettings;
  /** An existing folder for temporary files. */
  scratchDirectory: string;
  /** Loads the engines of files within the file. */
  loadEngine: EngineLoader;
  /** 0 for an uploaded file, 1 for a file that is attached to it, and so on. */
  depth: number;
}

/** The result of an engine. Fields that all types have in common are added later. */
export interface EngineOutput {
  markdown: string;
  pages: PageSpan[] | null;
  pageCount: number | null;
  title: string | null;
  author: string | null;
  /** The language that the document declares. Null if it declares none; it is then detected from the text. */
  language: string | null;
  /** Whether the markdown only describes the file. Then the file has neither words nor a language. */
  isDescription?: boolean;
  details: Record<string, unknown>;
}

/** Converts one kind of document into markdown. Runs only in the sandbox. */
export type Engine = (input: EngineInput, signal: AbortSignal) => Promise<EngineOutput>;

/** Loads an engine on its first use, so that a child that reads text does not load the PDF reader. */
export type EngineLoader = (kind: DocumentKind) => Promise<Engine>;
