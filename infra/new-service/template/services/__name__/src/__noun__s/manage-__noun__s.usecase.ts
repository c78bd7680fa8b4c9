// Creates, reads and lists. An id of another tenant is not found, like one that does not exist.
import {
  decodeCursor,
  notFound,
  pageOf,
  uuidOf,
  type CallContext,
  type __Name__Input,
  type __Name__Output,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { __Noun__Store } from './__noun__.store.js';
import { __noun__View } from './__noun__.view.js';

const positionSchema = z.tuple([z.iso.datetime(), z.uuid()]);

@Injectable()
export class Manage__Noun__s {
  constructor(private readonly __noun__s: __Noun__Store) {}

  async create({ id, name }: __Name__Input<'create__Noun__'>, { tenantId }: CallContext): Promise<__Name__Output<'create__Noun__'>> {
    const row = { tenant_id: tenantId, id: uuidOf('__noun__', id), name, file_id: null };
    return __noun__View(await this.__noun__s.create(row));
  }

  async get({ id }: __Name__Input<'get__Noun__'>, { tenantId }: CallContext): Promise<__Name__Output<'get__Noun__'>> {
    const row = await this.__noun__s.find(tenantId, uuidOf('__noun__', id));
    if (!row) throw notFound('No __noun__ has this id.');
    return __noun__View(row);
  }

  async list({ limit, cursor }: __Name__Input<'list__Noun__s'>, { tenantId }: CallContext): Promise<__Name__Output<'list__Noun__s'>> {
    const scope = `__noun__s:${tenantId}`;
    const position = cursor === undefined ? null : decodeCursor(scope, cursor, positionSchema);
    const before = position && { createdAt: new Date(position[0]), id: position[1] };
    const found = await this.__noun__s.page(tenantId, before, limit + 1);
    const page = pageOf(found, {
      limit,
      scope,
      view: __noun__View,
      keyset: ({ created_at, id }) => [created_at.toISOString(), id],
    });
    return { __noun__s: page.items, next_cursor: page.next_cursor };
  }
}
