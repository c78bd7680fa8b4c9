// Moves files from the tail of a tenant to OpenSearch, and deletes the documents of removed files. PostgreSQL records each document before it is
// sent. After a crash, PostgreSQL therefore knows every document that OpenSearch may have.
import type { TextStore } from '@kiln/contracts';
import { Database, type Queryable } from '@kiln/platform';
import { numberArray, textArray } from '../array-literal.rows.js';
import { lockFiles } from '../merging/merge.statements.js';
import { fileDocument, type MovedPart } from './file-document.domain.js';
import type { OpenSearchIndex } from './opensearch-index.adapter.js';
import type { VersionedDocument } from './versioned-document.domain.js';
import * as sql from './move-tail.statements.js';

/** The limits of one request. A file that is larger stays in PostgreSQL. */
const BYTES_PER_MOVE = 4_194_304;
const PASSAGES_PER_MOVE = 4_096;
/** Files of the tail that are considered at a time. */
const FILES_PER_MOVE = 1_024;
const DELETED_PER_REQUEST = 1_000;
const WITHHELD_ROWS = 10_000;
/** Longer than a move with its deadlines takes. */
const LEASE_SECONDS = 120;

export interface TailFile {
  file_id: string;
  bytes: number;
  passages: number;
  /** Some of its passages are in blocks. */
  partial: boolean;
}

interface Moved {
  /** How many files were moved. */
  moved: number;
  /** Files that OpenSearch did not take: large ones, partially merged ones, and refused ones. They must not delay the others. */
  unmovable: readonly string[];
}

type PartRow = MovedPart & { revision: number };

interface Sendable {
  fileId: string;
  document: VersionedDocument;
}

/** Whether a merge moves the file to OpenSearch. */
const isSmall = ({ bytes, partial }: TailFile) => bytes <= BYTES_PER_MOVE && !partial;

export class MoveTailStore {
  constructor(
    private readonly database: Database,
    private readonly index: Pick<OpenSearchIndex, 'send' | 'delete'>,
  ) {}

  /** Calls `work` with the chosen store, unless another process holds the lease. */
  async underLease<Result>(
    tenantId: string,
    otherwise: Result,
    work: (store: TextStore | null) => Promise<Result>,
  ): Promise<Result> {
    const [leased] = await this.database.query<{ store: TextStore | null }>(sql.takeLease, [tenantId, LEASE_SECONDS]);
    if (!leased) return otherwise;
    try {
      return await work(leased.store);
    } finally {
      await this.database.query(sql.endLease, [tenantId]);
    }
  }

  tailFiles(tenantId: string): Promise<TailFile[]> {
    return this.database.query<TailFile>(sql.readTailFiles, [tenantId, FILES_PER_MOVE]);
  }

  /** Moves the first files. Throws UNAVAILABLE while OpenSearch does not answer. */
  async move(tenantId: string, files: readonly TailFile[]): Promise<Moved> {
    const sendable = await this.recordSending(tenantId, firstOf(files.filter(isSmall)));
    const documents = sendable.map(({ document }) => document);
    const outcomes = documents.length === 0 ? [] : await this.index.send(tenantId, documents);
    const sent = sendable.filter((_, at) => outcomes[at] === 'sent');
    const [row] = await this.locked(tenantId, idsOf(sent), (transaction, locked) => {
      const moved = sent.filter(({ fileId }) => locked.has(fileId));
      return transaction.query<{ moved: number }>(sql.recordMoved, [tenantId, ...columnsOf(moved)]);
    });
    const notSent = sendable.filter((_, at) => outcomes[at] !== 'sent');
    const unmovable = [...files.filter((file) => !isSmall(file)).map(({ file_id }) => file_id), ...idsOf(notSent)];
    return { moved: row?.moved ?? 0, unmovable };
  }

  /** Deletes documents of removed files. Returns true when there may be more. Throws as `move`. */
  async deleteWithheld(tenantId: string): Promise<boolean> {
    const withheld = await this.database.query<{ file_id: string }>(sql.readWithheld, [tenantId, DELETED_PER_REQUEST]);
    if (withheld.length === 0) return false;
    const ids = withheld.map(({ file_id: id }) => id);
    const deleting = await this.locked(tenantId, ids, (transaction, locked) =>
      transaction.query<{ file_id: string; revision: number }>(sql.recordDeleting, [tenantId, ids, [...locked]]),
    );
    const files = deleting.map(({ file_id: fileId, revision }) => ({ fileId, revision }));
    if (files.length === 0) return false;
    await this.index.delete(tenantId, files);
    const revisions = numberArray(files.map(({ revision }) => revision));
    await this.database.query(sql.recordDeleted, [tenantId, textArray(files.map(({ fileId }) => fileId)), revisions]);
    return withheld.length === DELETED_PER_REQUEST;
  }

  /** Tenants with documents that must be deleted, or that were sent by a process that died. */
  async tenantsBehind(): Promise<string[]> {
    const rows = await this.database.query<{ tenant_id: string }>(sql.readWithheldTenants, [WITHHELD_ROWS]);
    return rows.map(({ tenant_id: tenantId }) => tenantId);
  }

  async countWithheld(): Promise<number> {
    const [row] = await this.database.query<{ files: number }>(sql.countWithheld, []);
    return row?.files ?? 0;
  }

  private async recordSending(tenantId: string, files: readonly TailFile[]): Promise<Sendable[]> {
    const ids = files.map(({ file_id: id }) => id);
    if (ids.length === 0) return [];
    const rows = await this.database.query<PartRow>(sql.readMovedParts, [tenantId, ids]);
    const read = ids.flatMap((id) =>
      sendableOf(
        tenantId,
        rows.filter((row) => row.file_id === id),
      ),
    );
    const recorded = await this.locked(tenantId, ids, (transaction, locked) => {
      const current = read.filter(({ fileId }) => locked.has(fileId));
      return transaction.query<{ file_id: string }>(sql.recordSending, [tenantId, ...columnsOf(current)]);
    });
    const isRecorded = new Set(recorded.map(({ file_id: id }) => id));
    return read.filter(({ fileId }) => isRecorded.has(fileId));
  }

  /** Skips files that a writer has locked, instead of waiting. */
  private async locked<Row>(
    tenantId: string,
    ids: readonly string[],
    work: (transaction: Queryable, locked: ReadonlySet<string>) => Promise<Row[]>,
  ): Promise<Row[]> {
    if (ids.length === 0) return [];
    return this.database.transaction(async (transaction) => {
      const rows = await transaction.query<{ file_id: string }>(lockFiles, [tenantId, ids]);
      return work(transaction, new Set(rows.map(({ file_id: id }) => id)));
    });
  }
}

function firstOf(files: readonly TailFile[]): TailFile[] {
  let [bytes, passages] = [0, 0];
  return files.filter((file, position) => {
    bytes += file.bytes;
    passages += file.passages;
    return position === 0 || (bytes <= BYTES_PER_MOVE && passages <= PASSAGES_PER_MOVE);
  });
}

function sendableOf(tenantId: string, parts: readonly PartRow[]): Sendable[] {
  const [first, ...rest] = parts;
  if (!first) return [];
  const revision = Math.max(...parts.map((part) => part.revision));
  return [{ fileId: first.file_id, document: { ...fileDocument(tenantId, [first, ...rest]), revision } }];
}

const idsOf = (files: readonly Sendable[]) => files.map(({ fileId }) => fileId);

const columnsOf = (files: readonly Sendable[]) => [
  textArray(files.map(({ fileId }) => fileId)),
  numberArray(files.map(({ document }) => document.revision)),
];
