// Single rows by key through the repository, pages by a named statement: packages/platform/README.md, "How data is stored".
import { Database, statement, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { __Noun__Entity } from './__noun__.entity.js';

/** Newest first, those before a row. The comparison has no `or`, so that the index finds the first row of every page. */
const page = statement(
  '__noun__s.page',
  `select tenant_id, id, name, file_id, created_at from __noun__s
   where tenant_id = $1 and (created_at, id) <
     (coalesce($2::timestamptz, 'infinity'), coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by created_at desc, id desc limit $4`,
);

export type New__Noun__ = Pick<__Noun__Entity, 'tenant_id' | 'id' | 'name' | 'file_id'>;

export interface __Noun__Position {
  createdAt: Date;
  id: string;
}

@Injectable()
export class __Noun__Store {
  constructor(
    private readonly database: Database,
    @InjectRepository(__Noun__Entity) private readonly __noun__s: Repository<__Noun__Entity>,
  ) {}

  /** The new row, or that of an earlier call with the same id. */
  async create(row: New__Noun__): Promise<__Noun__Entity> {
    await this.__noun__s.createQueryBuilder().insert().values(row).orIgnore().updateEntity(false).execute();
    return this.__noun__s.findOneByOrFail({ tenant_id: row.tenant_id, id: row.id });
  }

  /** Within the transaction of an event. */
  async add({ manager }: Transaction, row: New__Noun__): Promise<void> {
    await manager.insert(__Noun__Entity, row);
  }

  find(tenantId: string, id: string): Promise<__Noun__Entity | null> {
    return this.__noun__s.findOneBy({ tenant_id: tenantId, id });
  }

  page(tenantId: string, before: __Noun__Position | null, limit: number): Promise<__Noun__Entity[]> {
    const values = [tenantId, before?.createdAt ?? null, before?.id ?? null, limit];
    return this.database.query<__Noun__Entity>(page, values);
  }
}
