import type { Column } from '../../terminal/table.js';

export const keyColumns: readonly Column[] = [
  { field: 'id', title: 'ID', kind: 'id' },
  { field: 'name', title: 'NAME' },
  { field: 'prefix', title: 'KEY', kind: 'id' },
  { field: 'mode', title: 'MODE' },
  { field: 'scopes', title: 'SCOPES' },
  { field: 'expires_at', title: 'EXPIRES', kind: 'time' },
  { field: 'created_at', title: 'CREATED', kind: 'time', isExtra: true },
];
