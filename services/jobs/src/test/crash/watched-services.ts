// Stand-ins for the files and search services that record their calls, and report them to a watch.
import {
  filesOperations,
  searchOperations,
  sourceKey,
  uuidOf,
  type MadeVariant,
  type OperationInput,
} from '@kiln/contracts';
import { Metrics, RpcServer, type NatsConnection } from '@kiln/platform';
import { silentLogger } from '../jobs-harness.js';
import type { Watch } from './watch.js';

type Ops = typeof filesOperations;
type Run = OperationInput<Ops['beginRuns']>['runs'][number];
type Indexed = OperationInput<(typeof searchOperations)['indexFiles']>;

/** The answers of the stand-in for the files service, for each file. */
export interface AboutFiles {
  content_type: string;
  size_bytes: number;
}

export type Committed = Run & MadeVariant;

/**
 * Every variant that was ever committed, twice if it was. Each job has a tenant of its own here, so no call has more than one run.
 */
export function startWatchedServices(
  connection: NatsConnection,
  namespace: string,
  watch: Watch,
  about: AboutFiles,
): Committed[] {
  const committed: Committed[] = [];
  const metrics = new Metrics('test', 'all');
  const server = new RpcServer({ connection, namespace, service: 'stand-in', logger: silentLogger, metrics });
  const variantsOf = ({ file_id }: Run) => committed.filter((variant) => variant.file_id === file_id);
  const commit = ({ file_id, job_id, fence, variants }: Run & { variants: MadeVariant[] }) =>
    committed.push(...variants.map((variant) => ({ file_id, job_id, fence, ...variant })));
  server.listen(filesOperations.beginRuns, (input, { tenantId }) => {
    const run = onlyOne((input as OperationInput<Ops['beginRuns']>).runs);
    const file = {
      space: 'default',
      filename: 'report.md',
      ...about,
      metadata: {},
      source_key: sourceKey(tenantId, uuidOf('file', run.file_id)),
      is_in_bucket: false,
      source_etag: null,
      sha256: null,
      job_number: 1,
    };
    return watch.around(run.job_id, 'begin', () => ({
      runs: [{ file: { ...file, variants: variantsOf(run) }, refusal: null }],
    }));
  });
  server.listen(filesOperations.commitVariants, (input) => {
    const run = input as OperationInput<Ops['commitVariants']>;
    return watch.around(run.job_id, 'commit', () => {
      commit(run);
      return {};
    });
  });
  server.listen(searchOperations.indexFiles, (input) => {
    const { job_id: jobId } = onlyOne((input as Indexed).files);
    return watch.around(jobId, 'index', () => ({ files: [{ chunks: 1, refusal: null }] }));
  });
  server.listen(filesOperations.finishRuns, (input) => {
    const run = onlyOne((input as OperationInput<Ops['finishRuns']>).runs);
    return watch.around(run.job_id, 'finish', () => {
      commit(run);
      return { runs: [{ variants: variantsOf(run).map(({ type }) => type), refusal: null }] };
    });
  });
  return committed;
}

function onlyOne<Entry>(entries: readonly Entry[]): Entry {
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) throw new Error(`${entries.length} runs in one call`);
  return entry;
}
