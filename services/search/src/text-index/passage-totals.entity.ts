import { Column } from 'typeorm';

/** What passages add to the totals of their tenant. Entities that extend it have these columns. */
export abstract class PassageTotals {
  /** Chunks that have terms. */
  @Column('bigint', { default: 0 })
  chunks!: number;

  /** Terms in those chunks, repeats counted. */
  @Column('bigint', { default: 0 })
  chunk_length!: number;

  /** Titles that have terms. */
  @Column('bigint', { default: 0 })
  titles!: number;

  /** Terms in those titles and the filenames, repeats counted. */
  @Column('bigint', { default: 0 })
  title_length!: number;
}

/** The sums of the columns, in their order. */
export function sumsOf(rows: readonly PassageTotals[]): number[] {
  const columns = ['chunks', 'chunk_length', 'titles', 'title_length'] as const;
  return columns.map((column) => rows.reduce((sum, row) => sum + row[column], 0));
}
