// Queues the files of an external bucket. The first pages are queued while the caller waits, the others in the background from
// the position of the run, so a bucket of a million nodes needs no long request.
import {
  CodedError,
  CONNECTION_FILES_PER_CALL_MAX,
  PAGE_BYTES_MAX,
  uuidOf,
  type CallContext,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { jobRequest, type JobRequest } from '../files/file.events.js';
import { ConnectionRunStore, type ConnectionRun } from './connection-run.store.js';
import { ConnectionRunNotifier } from './connection-run-notifier.service.js';
import { QueuePage, RUN_LEASE_SECONDS } from './queue-page.usecase.js';

type Output = FilesOutput<'processConnection'>;

/** Tests inject another limit. */
export const FILES_PER_CALL_MAX = Symbol('files per call');

/** The jobs of one page take less than the other half of a message. */
const BYTES_BEFORE_LAST_PAGE = PAGE_BYTES_MAX / 2;
/** The part of the caller's deadline that a page may take. */
const PAGE_MS = 6_000;

@Injectable()
export class ProcessConnection {
  constructor(
    private readonly runs: ConnectionRunStore,
    private readonly queuePage: QueuePage,
    @Inject(ConnectionRunNotifier) private readonly worker: Pick<ConnectionRunNotifier, 'wakeUp'>,
    @Optional() @Inject(FILES_PER_CALL_MAX) private readonly filesPerCallMax = CONNECTION_FILES_PER_CALL_MAX,
  ) {}

  async execute(input: FilesInput<'processConnection'>, context: CallContext): Promise<Output> {
    const run = await this.begin(input, context);
    if (run === null) return { jobs: [], rest: 'follows' };
    const jobs: JobRequest[] = [];
    let bytes = 0;
    try {
      for (;;) {
        const { queued, rest } = await this.queuePage.execute(run, context);
        const requests = queued.flatMap((row) => jobRequest(row) ?? []);
        jobs.push(...requests);
        bytes += Buffer.byteLength(JSON.stringify(requests));
        if (rest !== 'pages') return { jobs, rest: rest === 'none' ? 'none' : 'follows' };
        if (
          jobs.length >= this.filesPerCallMax ||
          bytes > BYTES_BEFORE_LAST_PAGE ||
          Date.now() > context.deadlineAt - PAGE_MS
        )
          break;
      }
    } catch (error) {
      return await this.endAfter(run, jobs, error);
    }
    await this.runs.release(run, 0, false);
    this.worker.wakeUp();
    return { jobs, rest: 'follows' };
  }

  private begin(input: FilesInput<'processConnection'>, { tenantId }: CallContext): Promise<ConnectionRun | null> {
    const run = {
      tenant_id: tenantId,
      batch_id: uuidOf('batch', input.batch_id),
      connection_id: uuidOf('connection', input.connection_id),
      processing: input.processing,
      pages_limit: input.pages_limit,
    };
    return this.runs.begin(run, RUN_LEASE_SECONDS);
  }

  /**
   * Queued nodes stay queued. The background does not continue with nodes beyond the quota, since no one knows when there will be
   * room.
   */
  private async endAfter(run: ConnectionRun, jobs: JobRequest[], error: unknown): Promise<Output> {
    const code = error instanceof CodedError ? error.code : null;
    if (jobs.length === 0) {
      await this.runs.abandon(run);
      throw error;
    }
    if (code === 'QUOTA_EXCEEDED' || code === 'NOT_FOUND') {
      await this.runs.abandon(run);
      return { jobs, rest: code === 'QUOTA_EXCEEDED' ? 'quota_exceeded' : 'none' };
    }
    await this.runs.release(run, 1, true);
    return { jobs, rest: 'follows' };
  }
}
