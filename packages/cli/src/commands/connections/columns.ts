import type { Column } from '../../terminal/table.js';

export const connectionColumns: readonly Column[] = [
  { field: 'id', title: 'ID', kind: 'id' },
  { field: 'name', title: 'NAME' },
  { field: 'provider', title: 'PROVIDER' },
  { field: 'bucket', title: 'BUCKET' },
  { field: 'status', title: 'STATUS', kind: 'status' },
  { field: 'prefix', title: 'PREFIX', isExtra: true },
  { field: 'region', title: 'REGION', isExtra: true },
  { field: 'auth_type', title: 'AUTH', isExtra: true },
  { field: 'error', title: 'ERROR', isExtra: true },
  { field: 'created_at', title: 'CREATED', kind: 'time', isExtra: true },
];
