// The baseline: passages as rows with a `tsvector` under a GIN index, and counters of terms.
import type { Client } from 'pg';
import type { GeneratedFile, GeneratedPassage } from './generated-files.js';

const PASSAGES_PER_INSERT = 2_000;
const TERMS_PER_INSERT = 20_000;
const STRONG_REPEATS = 3;

/** A second lexeme marks passages that repeat a term. For a common term, these are the candidates. */
export const strongLexeme = (term: string) => `+${term}`;

export async function createVectorTables(client: Client): Promise<void> {
  await client.query(`
    create extension if not exists btree_gin schema public;
    create schema vectors;
    create table vectors.file (tenant_id uuid, file_id uuid, space text not null, primary key (tenant_id, file_id));
    create table vectors.passage (
      tenant_id uuid, file_id uuid, index int, space text not null, length int not null, terms tsvector not null,
      primary key (tenant_id, file_id, index)
    ) with (toast_tuple_target = 8160);
    alter table vectors.passage alter column terms set storage external;
    create table vectors.passage_statistics (
      tenant_id uuid primary key, chunks bigint, chunk_length bigint, titles bigint, title_length bigint);
    create table vectors.term_statistics (
      tenant_id uuid, term text collate "C", passages bigint, primary key (tenant_id, term));
    grant usage on schema vectors to kiln_search;
    grant select on all tables in schema vectors to kiln_search;
  `);
}

export async function indexVectors(client: Client): Promise<void> {
  await client.query(`set maintenance_work_mem = '512MB'`);
  await client.query(
    `create index passage_terms on vectors.passage using gin (tenant_id, space, terms) with (gin_pending_list_limit = 256)`,
  );
}

interface Row {
  fileId: string;
  index: number;
  space: string;
  length: number;
  vector: string;
}

export class VectorLoader {
  private rows: Row[] = [];
  private readonly counts = new Map<string, number>();
  private totals = { chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 };

  constructor(
    private readonly client: Client,
    private readonly tenantId: string,
  ) {}

  async add(fileId: string, file: GeneratedFile): Promise<void> {
    this.totals.titles++;
    this.totals.titleLength += file.title.length;
    for (const [place, passage] of [file.title, ...file.chunks].entries()) {
      if (place > 0) {
        this.totals.chunks++;
        this.totals.chunkLength += passage.length;
      }
      const vector = this.vectorOf(passage, place === 0);
      this.rows.push({ fileId, index: place - 1, space: file.space, length: passage.length, vector });
    }
    if (this.rows.length >= PASSAGES_PER_INSERT) await this.insertRows();
  }

  async finish(): Promise<void> {
    await this.insertRows();
    const { chunks, chunkLength, titles, titleLength } = this.totals;
    const totals = [this.tenantId, chunks, chunkLength, titles, titleLength];
    await this.client.query('insert into vectors.passage_statistics values ($1, $2, $3, $4, $5)', totals);
    const counts = [...this.counts];
    for (let from = 0; from < counts.length; from += TERMS_PER_INSERT) {
      const some = counts.slice(from, from + TERMS_PER_INSERT);
      await this.client.query('insert into vectors.term_statistics select $1, * from unnest($2::text[], $3::int8[])', [
        this.tenantId,
        some.map(([term]) => term),
        some.map(([, count]) => count),
      ]);
    }
  }

  private vectorOf({ repeats }: GeneratedPassage, isTitle: boolean): string {
    const entries: string[] = [];
    let position = 0;
    for (const [term, count] of repeats) {
      entries.push(`'${term}':${Array.from({ length: count }, () => ++position).join(',')}`);
      this.counts.set(term, (this.counts.get(term) ?? 0) + 1);
      if (!isTitle && count < STRONG_REPEATS) continue;
      entries.push(`'${strongLexeme(term)}'`);
      this.counts.set(strongLexeme(term), (this.counts.get(strongLexeme(term)) ?? 0) + 1);
    }
    return entries.join(' ');
  }

  private async insertRows(): Promise<void> {
    const rows = this.rows.splice(0);
    const files = [...new Map(rows.map((row) => [row.fileId, row.space]))];
    await this.client.query(
      `insert into vectors.file select $1, * from unnest($2::uuid[], $3::text[]) on conflict do nothing`,
      [this.tenantId, files.map(([id]) => id), files.map(([, space]) => space)],
    );
    await this.client.query(
      `insert into vectors.passage select $1, file_id, index, space, length, terms::tsvector
         from unnest($2::uuid[], $3::int4[], $4::text[], $5::int4[], $6::text[]) as p(file_id, index, space, length, terms)`,
      [
        this.tenantId,
        rows.map((row) => row.fileId),
        rows.map((row) => row.index),
        rows.map((row) => row.space),
        rows.map((row) => row.length),
        rows.map((row) => row.vector),
      ],
    );
  }
}
