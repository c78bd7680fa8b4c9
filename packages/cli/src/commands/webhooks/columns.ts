import type { Column } from '../../terminal/table.js';

export const webhookColumns: readonly Column[] = [
  { field: 'id', title: 'ID', kind: 'id' },
  { field: 'url', title: 'URL' },
  { field: 'events', title: 'EVENTS' },
  { field: 'spaces', title: 'SPACES', isExtra: true },
  { field: 'active', title: 'ACTIVE' },
  { field: 'failing_since', title: 'FAILING', kind: 'time' },
  { field: 'last_error', title: 'ERROR', isExtra: true },
  { field: 'disabled_reason', title: 'DISABLED', isExtra: true },
  { field: 'description', title: 'DESCRIPTION', isExtra: true },
  { field: 'created_at', title: 'CREATED', kind: 'time', isExtra: true },
];
