import { encodeId, formatTimestamp, type __name__Operations, type OperationOutput } from '@kiln/contracts';
import type { __Noun__Entity } from './__noun__.entity.js';

export type __Noun__View = OperationOutput<(typeof __name__Operations)['get__Noun__']>;

/** As the contract shows it. */
export function __noun__View(row: __Noun__Entity): __Noun__View {
  return {
    id: encodeId('__noun__', row.id),
    name: row.name,
    file_id: row.file_id === null ? null : encodeId('file', row.file_id),
    created_at: formatTimestamp(row.created_at),
  };
}
