import type { Column } from '../../terminal/table.js';

export const fileColumns: readonly Column[] = [
  { field: 'id', title: 'ID', kind: 'id' },
  { field: 'filename', title: 'NAME' },
  { field: 'status', title: 'STATUS', kind: 'status' },
  { field: 'size_bytes', title: 'SIZE', kind: 'bytes' },
  { field: 'created_at', title: 'CREATED', kind: 'time' },
  { field: 'space', title: 'SPACE', isExtra: true },
  { field: 'content_type', title: 'TYPE', isExtra: true },
  { field: 'job_id', title: 'JOB', isExtra: true },
  { field: 'external_id', title: 'EXTERNAL ID', isExtra: true },
  { field: 'updated_at', title: 'UPDATED', kind: 'time', isExtra: true },
];
