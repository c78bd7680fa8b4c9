import type { Extractor, PageCounter } from '../extractor.js';
import type { ExtractionLimits } from '../limits.js';
import type { IsolationLevel } from './isolation.js';

export interface SandboxOptions {
  /** Documents read at the same time; further ones wait, and their owners take turns. */
  processes: number;
  /** Resident memory of one child, above which it is killed. Default 1 GiB. */
  memoryBytesMax?: number;
  /** Time for one document, waiting excluded. Default 120,000. */
  deadlineMs?: number;
  /** Documents after which a child is replaced, so that leaks of native code stay small. Default 200. */
  maxJobsPerProcess?: number;
  /** A child without work ends after this; the next document pays a cold start. Default 60,000. */
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
  /** Fails what is running or waiting, ends all children. The sandbox refuses documents afterwards. */
  close(): Promise<void>;
  stats(): SandboxStats;
  /** Process ids of the children that live now. */
  pids(): number[];
}
