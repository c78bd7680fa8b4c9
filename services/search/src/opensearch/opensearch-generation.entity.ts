import { Entity, PrimaryColumn } from 'typeorm';

/**
 * One row, which the migration inserts. It is a part of the name of the index in OpenSearch. When the schema is lost and created again, it
 * differs, and so the former index cannot answer for the new schema.
 */
@Entity('opensearch_generations')
export class OpensearchGenerationEntity {
  @PrimaryColumn('text')
  generation!: string;
}
