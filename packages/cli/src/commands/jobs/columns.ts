import type { Column } from '../../terminal/table.js';

export const jobColumns: readonly Column[] = [
  { field: 'id', title: 'ID', kind: 'id' },
  { field: 'status', title: 'STATUS', kind: 'status' },
  { field: 'created_at', title: 'CREATED', kind: 'time' },
  { field: 'step', title: 'STEP' },
  { field: 'error', title: 'ERROR' },
  { field: 'file_id', title: 'FILE', kind: 'id', isExtra: true },
  { field: 'progress', title: 'PROGRESS', kind: 'number', isExtra: true },
  { field: 'attempts', title: 'ATTEMPTS', kind: 'number', isExtra: true },
  { field: 'provider', title: 'PROVIDER', isExtra: true },
  { field: 'space', title: 'SPACE', isExtra: true },
  { field: 'batch_id', title: 'BATCH', isExtra: true },
  { field: 'started_at', title: 'STARTED', kind: 'time', isExtra: true },
  { field: 'completed_at', title: 'COMPLETED', kind: 'time', isExtra: true },
  { field: 'ended_at', title: 'ENDED', kind: 'time', isExtra: true },
];
