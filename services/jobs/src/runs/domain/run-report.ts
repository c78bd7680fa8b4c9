// The report of a run, while it is in progress and when it ends.
import type { RunStep } from './run-timeline.js';
import type { RunUsage } from '../../organization/pages/domain/run-usage.js';

/** The progress of a run, and what it knows about its file. */
export interface RunReport {
  step: string;
  /** 0 to 1. */
  progress: number;
  provider: string | null;
  contentType: string | null;
  /** Of this run so far. */
  steps: readonly RunStep[];
  usage?: ReportedUsage;
}

export interface ReportedUsage {
  /** A part replaces what was reported for it before. */
  parts: RunUsage;
  /** The usage of the job. Null: unchanged. */
  pageHundredths: number | null;
}
