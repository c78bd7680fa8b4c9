// The copies of vectors in OpenSearch, and the rows that record them in PostgreSQL. No transaction is open while OpenSearch is asked. A document
// that a former writer sends late is refused by its version. If it is one that the copy never had, searches drop it: its run is not the current one.
import { EventLoopBudget, type Database, type Queryable } from '@kiln/platform';
import type { VersionedDocument } from '../../opensearch/versioned-document.domain.js';
import type { VersionedIndex } from '../../opensearch/versioned-index.adapter.js';
import { CopyLeases, keyOf } from '../copies/copy-leases.store.js';
import { CopyLostError, type Copy, type Lag, type SetKey, type VectorCopies } from '../copies/vector-copies.port.js';
import type { Changes, FileChange } from '../changes.domain.js';
import type { VectorSet } from '../vector-index.port.js';
import * as sql from './copy.statements.js';
import {
  copyQuery,
  documentsOf,
  formerQuery,
  DIMENSIONS_MAX,
  type CopyKey,
  type FoundVector,
} from './vector-index-definition.domain.js';
import type { OpenSearchVectorIndexes } from './opensearch-vector-indexes.adapter.js';

export interface OpenSearchCopy extends Copy {
  readonly indexName: string;
}

/** A request of about 500 kB: a number takes four bytes. */
const NUMBERS_PER_REQUEST_MAX = 131_072;
/** Less than the duration of a lease. */
const HEARTBEAT_MS = 15_000;
const FORMER_MAX = 5_000;
const FILES_PER_QUERY_MAX = 256;

export class OpenSearchCopies implements VectorCopies<OpenSearchCopy> {
  readonly dimensionsMax = DIMENSIONS_MAX;
  private readonly leases: CopyLeases<OpenSearchCopy>;

  constructor(
    private readonly database: Pick<Database, 'query' | 'transaction'>,
    private readonly indexes: OpenSearchVectorIndexes,
  ) {
    this.leases = new CopyLeases(database, sql.openSearchRows);
  }

  /** Null also when the copy is in an index of a former name. */
  async find(set: SetKey, database?: Queryable): Promise<OpenSearchCopy | null> {
    const copy = await this.leases.find(set, database);
    return copy?.indexName === this.indexes.nameOf(set.dimensions) ? copy : null;
  }

  async claim(set: SetKey, writer: string): Promise<OpenSearchCopy | null> {
    // A missing index takes the rows of its copies with it.
    await this.indexes.of(set.dimensions).ensureCreated();
    const [begun] = await this.database.query(sql.insertCopy, [...keyOf(set), this.indexes.nameOf(set.dimensions)]);
    const copy = await this.leases.claim(set, writer);
    // A writer that broke off before its first generation can have sent documents of files that were removed since. No change names them.
    const isUnknown = begun === undefined && copy?.generation === 0;
    return copy && isUnknown ? this.restart(set, copy, writer, this.heartbeatOf(set, writer)) : copy;
  }

  release(set: SetKey, writer: string): Promise<void> {
    return this.leases.release(set, writer);
  }

  prepare(_set: VectorSet, copy: OpenSearchCopy): Promise<OpenSearchCopy> {
    return Promise.resolve(copy);
  }

  async apply(set: SetKey, copy: OpenSearchCopy, writer: string, changes: Changes): Promise<OpenSearchCopy> {
    const heartbeat = this.heartbeatOf(set, writer);
    await heartbeat.renew();
    const current = changes.isReset ? await this.restart(set, copy, writer, heartbeat) : copy;
    await this.write(set, current, changes.files, heartbeat);
    await this.leases.asWriter(set, writer, (transaction) =>
      this.leases.writeGeneration(transaction, set, changes.generation),
    );
    return current;
  }

  complete(): Promise<void> {
    return Promise.resolve();
  }

  async remove(set: SetKey, copy: OpenSearchCopy, writer: string): Promise<void> {
    await this.deleteDocuments(set, copy, this.heartbeatOf(set, writer));
    await this.leases.asWriter(set, writer, (transaction) => this.leases.remove(transaction, set));
  }

  emptyOf(tenantId: string): Promise<VectorSet[]> {
    return this.leases.emptyOf(tenantId);
  }

  lag(tenantsMax: number): Promise<Lag> {
    return this.leases.lag(tenantsMax, DIMENSIONS_MAX, this.indexes.prefix);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** A document that was deleted by a query cannot be written again with its version for a while. A new number has new documents. */
  private async restart(set: SetKey, copy: OpenSearchCopy, writer: string, heartbeat: Heartbeat) {
    await this.deleteDocuments(set, copy, heartbeat);
    const [restarted] = await this.leases.asWriter(set, writer, (transaction) =>
      transaction.query<OpenSearchCopy>(sql.restartCopy, keyOf(set)),
    );
    if (!restarted) throw new CopyLostError();
    return restarted;
  }

  private async deleteDocuments({ tenantId, dimensions }: SetKey, { number }: OpenSearchCopy, heartbeat: Heartbeat) {
    const index = this.indexes.of(dimensions);
    while (await index.deleteFound(tenantId, copyQuery({ tenantId, number }))) await heartbeat.beat();
  }

  private heartbeatOf(set: SetKey, writer: string): Heartbeat {
    return new Heartbeat(() => this.leases.renew(this.database, set, writer));
  }

  private async write(
    { tenantId, dimensions }: SetKey,
    { number }: OpenSearchCopy,
    files: readonly FileChange[],
    heartbeat: Heartbeat,
  ): Promise<void> {
    const index = this.indexes.of(dimensions);
    const key = { tenantId, number };
    const perRequest = Math.max(1, Math.floor(NUMBERS_PER_REQUEST_MAX / dimensions));
    for await (const { request, moreFollow } of requestsOf(documentsOf(key, files, dimensions), perRequest)) {
      const outcomes = await index.send(tenantId, request, moreFollow);
      if (outcomes.includes('refused')) throw new Error('OpenSearch has refused a vector');
      await heartbeat.beat();
    }
    for (let at = 0; at < files.length; at += FILES_PER_QUERY_MAX) {
      await deleteFormer(index, key, files.slice(at, at + FILES_PER_QUERY_MAX));
      await heartbeat.beat();
    }
  }
}

/** Renews a lease while work takes longer than it. */
class Heartbeat {
  private renewedAt = performance.now();

  constructor(private readonly renewLease: () => Promise<void>) {}

  async renew(): Promise<void> {
    this.renewedAt = performance.now();
    await this.renewLease();
  }

  async beat(): Promise<void> {
    if (performance.now() - this.renewedAt > HEARTBEAT_MS) await this.renew();
  }
}

/** The last request shows its documents and those of the others to searches. */
async function* requestsOf(documents: Iterable<VersionedDocument>, perRequest: number) {
  const budget = new EventLoopBudget();
  let request: VersionedDocument[] = [];
  for (const document of documents) {
    if (request.length === perRequest) {
      yield { request, moreFollow: true };
      request = [];
    }
    request.push(document);
    if (budget.isSpent) await budget.renew();
  }
  if (request.length > 0) yield { request, moreFollow: false };
}

/** Deletes the chunks of former versions that the current ones have not replaced. */
async function deleteFormer(index: VersionedIndex, key: CopyKey, files: readonly FileChange[]): Promise<void> {
  const generations = new Map(files.map(({ fileId, generation }) => [fileId, generation]));
  for (let found = FORMER_MAX; found === FORMER_MAX;) {
    const { hits } = await index.search<FoundVector>(key.tenantId, formerQuery(key, files, FORMER_MAX));
    found = hits.hits.length;
    const former = hits.hits.map(({ _id: id, fields }) => ({
      id,
      revision: generations.get(String(fields['file']?.[0])) ?? 0,
    }));
    await index.delete(key.tenantId, former);
  }
}
