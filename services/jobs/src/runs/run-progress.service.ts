// The progress of one run, as the owner of the job sees it. `ProgressReports` writes it at intervals, the statement that ends the run at last.
import type { JobError, jobSteps } from '@kiln/contracts';
import { hundredthsOfRun } from '../organization/pages/domain/pages.js';
import type { ReportedUsage, RunReport } from './domain/run-report.js';
import { RunTimeline } from './domain/run-timeline.js';
import type { RunUsage } from '../organization/pages/domain/run-usage.js';
import type { ActiveRun } from '../worker/active-run.service.js';
import type { ProgressReports } from './progress-reports.service.js';

export type ReportingRun = Pick<ActiveRun, 'job' | 'lease' | 'report'>;

export class RunProgress {
  private readonly timeline = new RunTimeline();
  private step: (typeof jobSteps)[number] = 'extract';
  private progress = 0;
  private routedTo: string | null;
  private usage: ReportedUsage | null = null;

  constructor(
    private readonly run: ReportingRun,
    /** Of the file. */
    private readonly contentType: string | null,
    private readonly reports: ProgressReports,
  ) {
    this.routedTo = run.job.provider;
  }

  /** The provider that reads the file, which may differ from the one predicted when the job was created. */
  routeTo(provider: string | null): void {
    this.routedTo = provider;
  }

  /** A step begins, at this progress (0 to 1), by this provider if one does the work. */
  begin(step: (typeof jobSteps)[number], progress: number, provider: string | null = null): void {
    this.timeline.begin(step, provider);
    this.step = step;
    this.progress = progress;
    this.change();
  }

  /** The current provider failed, and `provider` takes over the step. The timeline shows both. */
  fallBack(provider: string, error: Pick<JobError, 'code' | 'message'>): void {
    this.timeline.fallBack(provider, error);
    this.change();
  }

  /** Records what a step has used. A part replaces what was recorded for it before. */
  use(part: RunUsage): void {
    const pageHundredths = part.extraction ? hundredthsOfRun(this.contentType, part.extraction) : null;
    this.usage = {
      parts: { ...this.usage?.parts, ...part },
      pageHundredths: pageHundredths ?? this.usage?.pageHundredths ?? null,
    };
    this.change();
  }

  /** Writes the report now, so that paid usage is recorded even if this process dies. */
  save(): Promise<void> {
    return this.reports.write([this.run]);
  }

  private change(): void {
    this.run.report = this.report();
    this.reports.note(this.run);
  }

  private report(): RunReport {
    return {
      step: this.step,
      progress: this.progress,
      provider: this.routedTo,
      contentType: this.contentType,
      steps: this.timeline.steps,
      ...(this.usage && { usage: this.usage }),
    };
  }
}
