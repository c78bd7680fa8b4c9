// Stand-ins for the files and the search service that keep what they are told, and let a watch look on.
import { filesOperations, searchOperations, sourceKey, uuidOf, type OperationInput } from '@kiln/contracts';
import { Metrics, RpcServer, type NatsConnection } from '@kiln/platform';
import { silentLogger } from '../jobs-harness.js';
import type { Watch } from './watch.js';

export type Committed = OperationInput<(typeof filesOperations)['commitVariant']>;
type Run = Pick<Committed, 'file_id' | 'job_id' | 'fence'>;

/** Every variant that was ever committed, twice if it was. */
export function startWatchedServices(connection: NatsConnection, namespace: string, watch: Watch): Committed[] {
  const committed: Committed[] = [];
  const metrics = new Metrics('test', 'all');
  const server = new RpcServer({ connection, namespace, service: 'stand-in', logger: silentLogger, metrics });
  const variantsOf = ({ file_id }: Run) => committed.filter((variant) => variant.file_id === file_id);
  server.listen(filesOperations.beginProcessing, (input, { tenantId }) => {
    const run = input as Run;
    const file = {
      space: 'default',
      filename: 'report.md',
      content_type: 'text/markdown',
      size_bytes: 10,
      metadata: {},
      source_key: sourceKey(tenantId, uuidOf('file', run.file_id)),
      source_etag: null,
      sha256: null,
      job_number: 1,
    };
    return watch.around(run.job_id, 'begin', () => ({ ...file, variants: variantsOf(run) }));
  });
  server.listen(filesOperations.commitVariant, (input) => {
    const variant = input as Committed;
    return watch.around(variant.job_id, `commit ${variant.type}`, () => {
      committed.push(variant);
      return { id: 'var_01jjjjjjjjjjjjjjjjjjjjjjjj' };
    });
  });
  server.listen(searchOperations.indexFile, (input) =>
    watch.around((input as Run).job_id, 'index', () => ({ chunks: 1 })),
  );
  server.listen(filesOperations.finishProcessing, (input) => {
    const run = input as Run;
    return watch.around(run.job_id, 'finish', () => ({ variants: variantsOf(run).map(({ type }) => type) }));
  });
  return committed;
}
