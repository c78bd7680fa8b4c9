import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { PassageTotals } from './passage-totals.entity.js';

/**
 * The tail of the index: passages that are not merged yet. A row holds one batch of a file's chunks, packed by
 * postings/domain/tail-data.ts. Every search of the tenant reads all rows, so `data` is stored uncompressed.
 */
@Entity('tail_parts')
@Check('tail_parts_part_check', 'part >= 0')
export class TailPartEntity extends PassageTotals {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  /** The position of the row among the rows of its file, from 0. Part 0 has the title and the facets. */
  @PrimaryColumn('integer')
  part!: number;

  /** The highest place among the row's passages: 0 is the title, chunk n has place n + 1. */
  @Column('integer')
  last_place!: number;

  /** The terms with their postings. */
  @Column('text')
  data!: string;

  /** The job whose run wrote the row, as in the row of the file. */
  @Column('bigint')
  job_number!: number;

  /** The fencing token of that run. */
  @Column('bigint')
  fence!: number;

  /** The number of this write: see opensearch-file.entity.ts. Null in rows of releases before 0.3. */
  @Column('bigint', { nullable: true })
  revision!: number | null;
}
