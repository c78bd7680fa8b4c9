import type { Extractor, PageCounter, PageDrawer, PropertyReader, ThumbnailMaker } from '@kiln/readers/extractor';
import type { ExtractionLimits } from '@kiln/readers/limits';
import type { OcrSettings } from '@kiln/ocr/ocr-settings';
import type { IsolationDemand, ReaderIsolation } from './isolation.js';

export interface SandboxOptions {
  /** The maximum number of documents read concurrently. Others wait, and owners share the processes fairly. */
  processes: number;
  /** Default `required`: where the system does not permit namespaces, no document is read. */
  isolation?: IsolationDemand;
  /** Where the documents that are being read are kept. Default: the system's folder for temporary files. */
  directory?: string;
  /** Resident memory of one child and of what it starts, above which it is killed. Default 1 GiB. */
  memoryBytesMax?: number;
  /**
   * The maximum time for a document, without its waiting time. Default 120,000. Each page whose text is recognized in a picture begins
   * it anew, until `limits.ocrMillisecondsMax` is added to it. A thumbnail or a page image may take 30,000 of it.
   */
  deadlineMs?: number;
  /** A child is replaced after so many documents, because native code may leak memory. Default 1,000. */
  maxJobsPerProcess?: number;
  /** A child that is idle for this time is ended. The next document then waits for a new one. Default 60,000. */
  idleShutdownMs?: number;
  /** Called with the error when the files of a child could not be removed. They remain in `directory`. */
  onFilesLeft?: ((error: unknown) => void) | undefined;
  maxOutputBytes?: number;
  maxInputBytes?: number;
  /** The languages that pictures of text may have, the first one first. Default: all that are shipped. */
  ocrLanguages?: OcrSettings['languages'];
  /** The directory with the data of those languages that are not shipped. Children see these files, and no others in it. */
  ocrDataDirectory?: string | undefined;
  /** Limits of a document. */
  limits?: Partial<ExtractionLimits>;
}

export interface SandboxStats {
  /** Null before the first document, unless `checkIsolation` was called. */
  isolation: ReaderIsolation | null;
  processes: number;
  busy: number;
  waiting: number;
  started: number;
  completed: number;
  failed: number;
}

export interface Sandbox extends Extractor, PageCounter, ThumbnailMaker, PropertyReader, PageDrawer {
  /** Ends all children. Extractions that run or wait fail, and new ones are refused. */
  close(): Promise<void>;
  stats(): SandboxStats;
  /** Finds out the isolation that the system permits. @throws ExtractionError if it is less than the options require. */
  checkIsolation(): Promise<{ level: ReaderIsolation; reason: string | null }>;
  /** The process ids of the running children. In namespaces, of the processes that started them. */
  pids(): number[];
}
