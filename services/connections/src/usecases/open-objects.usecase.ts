// Objects of connected buckets for the other services: what there is, what it is, and URLs to read it by.
import {
  fittingItems,
  uuidOf,
  type bucketObjectsOperations,
  type CallContext,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import { SNIFFED_BYTES, sniffContentType } from '@kiln/extraction/sniff';
import type { Readable } from 'node:stream';
import { BucketError } from '../domain/bucket-error.js';
import type { OthersBucket } from '../domain/bucket.port.js';
import type { ConnectionStore } from '../store/connection.store.js';
import { fileNodeView } from '../store/node.rows.js';
import type { NodeStore } from '../store/node.store.js';
import type { OpenBucket } from './bucket-access.js';
import { NODE_URL_SECONDS } from './download-node.usecase.js';
import { missingConnection } from './manage-connections.usecase.js';
import type { WaitingAccess } from './waiting-access.js';

type Ops = typeof bucketObjectsOperations;
type Input<Name extends keyof Ops> = OperationInput<Ops[Name]>;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;
type Stats = OperationOutput<Ops['statObjects']>['objects'];

const QUESTIONS_AT_A_TIME = 16;
/** Google calls it a generation; others name it in the answer's ETag. */
const versionHeaderOf = ({ provider }: OpenBucket['connection']) => (provider === 'gcs' ? 'x-goog-generation' : 'etag');

export class OpenObjects {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly nodes: NodeStore,
    private readonly access: WaitingAccess,
    private readonly signing: WaitingAccess,
  ) {}

  async listFileNodes(input: Input<'listFileNodes'>, { tenantId }: CallContext): Output<'listFileNodes'> {
    const connectionId = uuidOf('connection', input.connection_id);
    if (!(await this.connections.find(tenantId, connectionId))) throw missingConnection();
    const after = input.after === null ? null : uuidOf('node', input.after);
    const rows = await this.nodes.filesAfter(tenantId, connectionId, after, input.limit);
    const nodes = fittingItems(rows.map(fileNodeView));
    return { nodes, is_last: nodes.length === rows.length && rows.length < input.limit };
  }

  stat({ connection_id, paths }: Input<'statObjects'>, context: CallContext): Output<'statObjects'> {
    return using(this.access, connection_id, context, async ({ bucket }) => {
      const objects: Stats = paths.map(() => null);
      const left = [...paths.entries()];
      const askInTurn = async () => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) {
          const [index, path] = next;
          const head = await bucket.head(path);
          if (head !== null) objects[index] = { etag: head.etag, size_bytes: head.sizeBytes };
        }
      };
      await Promise.all(Array.from({ length: QUESTIONS_AT_A_TIME }, askInTurn)).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
      return { objects };
    });
  }

  open(input: Input<'openObject'>, context: CallContext): Output<'openObject'> {
    return using(this.access, input.connection_id, context, async ({ bucket, connection }) => {
      const read = await bucket.read(input.path, AbortSignal.timeout(Math.max(1, context.deadlineAt - Date.now())));
      if (read === null) return { object: null };
      const head = await beginningOf(read.body);
      const { filename, claimed_type: claimed } = input;
      const { etag, sizeBytes } = read.object;
      return {
        object: {
          url: await urlOf(bucket, input.path),
          bucket: connection.bucket,
          etag,
          etag_header: versionHeaderOf(connection),
          size_bytes: sizeBytes,
          content_type: await sniffContentType({ head, filename, claimed }),
        },
      };
    });
  }

  sign({ connection_id, path, filename }: Input<'signObject'>, context: CallContext): Output<'signObject'> {
    return using(this.signing, connection_id, context, async ({ bucket }) => ({
      url: await urlOf(bucket, path, filename),
      expires_in: NODE_URL_SECONDS,
    }));
  }
}

async function using<Result>(
  access: WaitingAccess,
  connectionId: string,
  context: CallContext,
  work: (opened: OpenBucket) => Promise<Result>,
): Promise<Result> {
  const result = await access.use(context, uuidOf('connection', connectionId), work);
  if (result === null) throw missingConnection();
  return result;
}

const urlOf = (bucket: OthersBucket, path: string, filename?: string) =>
  bucket.signedGet(path, { seconds: NODE_URL_SECONDS, ...(filename !== undefined && { filename }) });

/** What tells the type, and no more of it. */
async function beginningOf(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= SNIFFED_BYTES) break;
    }
  } catch (error) {
    throw new BucketError('unreachable', 'The provider broke off its answer.', { cause: error, retryable: true });
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, SNIFFED_BYTES);
}
