// Creates one for a created file. The row has a new id, so only the inbox keeps a redelivered event from creating a second one.
import type { EventContext } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { __Noun__Store } from './__noun__.store.js';

export interface CreatedFile {
  tenantId: string;
  fileId: string;
  filename: string;
}

@Injectable()
export class RecordFile {
  constructor(private readonly __noun__s: __Noun__Store) {}

  async execute({ transaction }: EventContext, { tenantId, fileId, filename }: CreatedFile): Promise<void> {
    await this.__noun__s.add(transaction, { tenant_id: tenantId, id: uuidv7(), name: filename, file_id: fileId });
  }
}
