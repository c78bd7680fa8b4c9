// Examples of syncs and nodes.
import { encodeId } from '@kiln/contracts';
import { exampleConnection } from './connections.examples.js';

export const exampleNode = {
  id: encodeId('node', '01938a10-6000-7000-8000-000000000006'),
  connection_id: exampleConnection.id,
  parent_id: encodeId('node', '01938a10-6000-7000-8000-000000000007'),
  type: 'file' as const,
  name: 'lease.pdf',
  path: 'contracts/2026/lease.pdf',
  size_bytes: 48_213,
  content_type: 'application/pdf',
  etag: '9b2cf535f27731c974343645a3985328',
  archived_in: null,
  excluded_by: null,
  last_modified: '2026-11-19 08:12:44',
  created_at: '2026-11-20 15:01:00',
};

export const exampleChild = { id: exampleNode.id, type: 'file' as const, name: 'lease.pdf', size_bytes: 48_213 };

export const exampleSync = {
  id: encodeId('sync', '01938a10-5000-7000-8000-000000000005'),
  status: 'completed' as const,
  synced_count: 1_204,
  files_added: 12,
  files_updated: 3,
  files_deleted: 1,
  files_moved: 0,
  files_queued: 15,
  files_excluded: 204,
  skipped: 0,
  error: null,
  started_at: '2026-11-20 15:01:00',
  completed_at: '2026-11-20 15:01:02',
};
