// Begins runs. From then on, runs of the same job with a lower fencing token change nothing. Idempotent.
import { type BegunRunFile, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Database } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { sourceKeyOf } from '../files/file.rows.js';
import { OpenSource } from '../sources/open-source.usecase.js';
import { isOf, refusalError, refusalOf, runOf } from './refusal.errors.js';
import { RunStore, type BegunFile, type Run } from './run.store.js';

@Injectable()
export class BeginRuns {
  constructor(
    private readonly database: Database,
    private readonly runs: RunStore,
    private readonly source: OpenSource,
  ) {}

  async begin(input: FilesInput<'beginRuns'>, { tenantId }: CallContext): Promise<FilesOutput<'beginRuns'>> {
    const runs = input.runs.map(runOf);
    const begun = new Map((await this.runs.begin(tenantId, runs)).map((file) => [file.id, file]));
    const isBegun = (run: Run) => isOf(run, begun.get(run.fileId));
    const missing = runs.filter((run) => !isBegun(run)).map(({ fileId }) => fileId);
    const states = missing.length === 0 ? [] : await this.runs.findStates(this.database, tenantId, missing);
    const stateOf = new Map(states.map((state) => [state.id, state]));
    return {
      runs: runs.map((run) => {
        const file = isBegun(run) ? begun.get(run.fileId) : undefined;
        return file
          ? { file: viewOf(file), refusal: null }
          : { file: null, refusal: refusalOf(stateOf.get(run.fileId)) };
      }),
    };
  }

  async openSource(input: FilesInput<'openSource'>, context: CallContext): Promise<FilesOutput<'openSource'>> {
    const { tenantId } = context;
    const run = runOf(input);
    const file = await this.runs.findPlace(tenantId, run);
    if (!file?.place) {
      const [state] = await this.runs.findStates(this.database, tenantId, [run.fileId]);
      throw refusalError(refusalOf(state));
    }
    return this.source.execute(file, file.place, context);
  }
}

function viewOf(file: BegunFile): BegunRunFile {
  return {
    space: file.space,
    filename: file.filename,
    content_type: file.content_type,
    size_bytes: file.size_bytes,
    metadata: file.metadata,
    external_id: file.external_id,
    source_key: sourceKeyOf(file),
    is_in_bucket: file.is_in_bucket,
    source_etag: file.source_etag,
    sha256: file.sha256,
    job_number: file.job_number,
    variants: file.variants as BegunRunFile['variants'],
  };
}
