// The files of one tenant in PostgreSQL and OpenSearch, which change at random.
import { statement } from '@kiln/platform';
import { indexTerm } from '../analysis/domain/index-term.js';
import { searchQueryOf } from '../searching/domain/search-query.js';
import { passagesIn, rankExhaustively, type KnownFile, type KnownFilter } from './exhaustive-ranking.js';
import { RandomCollection } from './random-collection.js';

export class RemoteCollection extends RandomCollection {
  /** How often a search was compared while OpenSearch had a former version of a file of the tail. */
  withFormerVersions = 0;
  /** OpenSearch computes scores of 32 bits. */
  protected override readonly digits = 5;
  /** Whether searches ask OpenSearch. */
  private isAsked = false;
  /** The versions that OpenSearch has. */
  private readonly sent = new Map<string, KnownFile>();

  /** A former version counts until it is replaced. */
  async beforeCompare(): Promise<void> {
    while (await this.kiln.moves?.deleteWithheld(this.tenantId));
    this.isAsked = (await this.kiln.database.query(served, [this.tenantId])).length > 0;
    const counted = this.isAsked ? formerVersions : none;
    const rows = await this.kiln.database.query<{ file_id: string }>(counted, [this.tenantId]);
    this.ghosts = rows.flatMap(({ file_id: id }) => this.sent.get(id) ?? []);
    this.withFormerVersions += rows.length > 0 ? 1 : 0;
  }

  /** With the frequencies of OpenSearch, which counts deleted documents until Lucene merges their segments. */
  protected override async rankExhaustively(query: string, filter: KnownFilter) {
    const languages = [...this.languages];
    const terms = searchQueryOf(query, languages).terms.map(({ language, term }) => indexTerm(language, term));
    const remote = this.isAsked ? ((await this.kiln.remote?.frequencies(this.tenantId, terms)) ?? []) : [];
    const rows = await this.kiln.database.query<{ file_id: string }>(inTail, [this.tenantId]);
    const tail = rows.flatMap(({ file_id: id }) => this.files.get(id) ?? []).flatMap(passagesIn);
    const frequencies = new Map(
      terms.map((term, position) => {
        const local = tail.filter(({ repeats }) => repeats.has(term)).length;
        return [term, local + (remote[position] ?? 0)];
      }),
    );
    const all = [...this.files.values()];
    return rankExhaustively(all, this.ghosts, query, filter, languages, (term) => frequencies.get(term) ?? 0);
  }

  protected override async keepGhost(): Promise<void> {
    this.removed++;
  }

  protected override async maintain(how: 'one merge' | 'all'): Promise<void> {
    if (how === 'all') await this.kiln.merge(this.tenantId);
    else await this.kiln.mergeWorker.maintain(this.tenantId, 1);
    const rows = await this.kiln.database.query<{ file_id: string }>(served, [this.tenantId]);
    for (const { file_id: id } of rows) {
      const file = this.files.get(id);
      if (file) this.sent.set(id, file);
    }
  }
}

const none = statement('test.none', 'select file_id from opensearch_files where tenant_id = $1 and false');
const inTail = statement('test.in_tail', 'select distinct file_id from tail_parts where tenant_id = $1');
const served = statement('test.served', 'select file_id from opensearch_files where tenant_id = $1 and served');
const formerVersions = statement(
  'test.former_versions',
  'select file_id from opensearch_files where tenant_id = $1 and not served and counted',
);
