import type { Extractor, PageCounter } from '../extractor.js';
import type { ExtractionLimits } from '../limits.js';
import type { IsolationLevel } from './isolation.js';

export interface SandboxOptions {
  /** The most documents read concurrently. Further documents wait, and owners are served fairly. */
  processes: number;
  /** Resident memory of one child, above which it is killed. Default 1 GiB. */
  memoryBytesMax?: number;
  /** Time for one document, waiting excluded. Default 120,000. */
  deadlineMs?: number;
  /** Documents after which a child is replaced, so that leaks of native code stay small. Default 200. */
  maxJobsPerProcess?: number;
  /** An idle child ends after this time. The next document then needs a cold start. Default 60,000. */
  idleShutdownMs?: number;
  maxOutputBytes?: number;
  maxInputBytes?: number;
  /** The finer limits behind the two above. */
  limits?: Partial<ExtractionLimits>;
}

export interface SandboxStats {
  /** Null before the first document: nothing has been started. */
  isolation: IsolationLevel | null;
  processes: number;
  busy: number;
  waiting: number;
  started: number;
  completed: number;
  failed: number;
}

export interface Sandbox extends Extractor, PageCounter {
  /** Fails running and waiting extractions, and ends all children. Afterwards the sandbox refuses documents. */
  close(): Promise<void>;
  stats(): SandboxStats;
  /** The process ids of the running children. */
  pids(): number[];
}
