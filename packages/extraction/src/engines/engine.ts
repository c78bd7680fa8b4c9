import type { DocumentKind } from '../content-type.js';
import type { PageSpan } from '../extractor.js';
import type { ExtractionLimits } from '../limits.js';

/** What an engine is given: the caller has already checked that the file exists and is not too large. */
export interface EngineInput {
  path: string;
  filename: string;
  contentType: string;
  bytes: number;
  limits: ExtractionLimits;
}

/** What an engine finds out; everything that is the same for all types is added around it. */
export interface EngineOutput {
  markdown: string;
  pages: PageSpan[] | null;
  pageCount: number | null;
  title: string | null;
  author: string | null;
  /** A language the document states about itself; detected from the text when null. */
  language: string | null;
  details: Record<string, unknown>;
}

/** Turns one kind of document into markdown. Runs inside the sandbox and nowhere else. */
export type Engine = (input: EngineInput, signal: AbortSignal) => Promise<EngineOutput>;

/** Loads an engine on its first use, so that a child that reads text never pays for the PDF reader. */
export type EngineLoader = (kind: DocumentKind) => Promise<Engine>;
