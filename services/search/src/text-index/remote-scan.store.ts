// The part of a scan that the remote index does.
import { unavailable } from '@kiln/contracts';
import type { RankingWeights } from '../searching/domain/bm25.js';
import type { IndexReader } from '../searching/domain/index-reader.js';
import type { LookUp, SearchQuery } from '../searching/domain/search-query.js';
import type { TopFiles } from '../searching/domain/top-files.js';
import { WITHHELD_MAX } from './read-index.statements.js';
import type { RemoteIndex, RemoteRanked } from './remote-index.port.js';
import type { SkippedFiles } from './skipped-files.domain.js';

interface RemoteScanRequest {
  tenantId: string;
  facets: readonly string[];
  query: SearchQuery;
  lookUp: LookUp;
  limit: number;
  chunksPerFile: number;
  passagesPerFile: number;
  skipped?: SkippedFiles | undefined;
  fileIds?: readonly string[] | undefined;
}

const NONE: RemoteRanked = { files: [], total: 0 };

export class RemoteScan {
  constructor(private readonly remote: RemoteIndex | null) {}

  /** Adds the frequencies of the query's terms on the remote index. Throws UNAVAILABLE while it does not answer. */
  async count({ tenantId, query, lookUp }: RemoteScanRequest, reader: IndexReader): Promise<void> {
    const remote = this.of(reader);
    if (remote) reader.countRemote(await remote.frequencies(tenantId, lookUp.terms.slice(0, query.terms.length)));
  }

  /** Throws as `count`. */
  async rank(request: RemoteScanRequest, reader: IndexReader, weights: RankingWeights): Promise<RemoteRanked> {
    const remote = this.of(reader);
    if (!remote) return NONE;
    const { query, lookUp, skipped, ...wanted } = request;
    const terms = query.terms.map((_, position) => ({
      term: lookUp.terms[position] ?? '',
      weight: weights.terms[position] ?? 0,
    }));
    const leftOut = [...(reader.leftOutRemotely ?? []), ...(skipped?.unmergedIds ?? [])];
    return remote.rank({ ...wanted, ...weights, terms, clauses: query.clauses, leftOut });
  }

  /** The index that has files of the tenant. Throws UNAVAILABLE if it is not configured, or far behind. */
  of({ leftOutRemotely: leftOut }: Pick<IndexReader, 'leftOutRemotely'>): RemoteIndex | null {
    if (leftOut === null) return null;
    if (this.remote === null) {
      throw unavailable('The text index', new Error('Files are in OpenSearch, and KILN_SEARCH_URL is not set.'));
    }
    if (leftOut.size >= WITHHELD_MAX) {
      throw unavailable('The text index', new Error('OpenSearch has not taken the latest changes yet.'));
    }
    return this.remote;
  }
}

/** Adds the files to the best ones. `chunksPerFile` is that of the search. */
export function addRanked(
  { files, total }: RemoteRanked,
  { reader, top, chunksPerFile }: { reader: IndexReader; top: TopFiles; chunksPerFile: number },
): void {
  for (const { version, score, chunks, undecided } of files) {
    const file = { first: reader.addRemoteFile(version), score, place: chunks[0]?.place ?? 0, undecided };
    top.add(chunksPerFile <= 1 ? file : { ...file, chunks });
  }
  top.addFurther(total - files.length);
}
