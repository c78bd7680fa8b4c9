// Examples of what the connections service answers.
import { encodeId } from '@kiln/contracts';
import { exampleIds } from './shared.examples.js';

export const exampleConnection = {
  id: encodeId('connection', '01938a10-4000-7000-8000-000000000004'),
  provider: 's3' as const,
  name: 'Contracts',
  bucket: 'acme-documents',
  region: 'eu-central-1',
  prefix: 'contracts/',
  listing_order: 'sorted' as const,
  on_delete: 'delete' as const,
  space: 'default',
  auto_process: true,
  on_change: 'reprocess' as const,
  include: ['contracts/**'],
  exclude: ['**/drafts/**'],
  min_size: 1,
  max_size: 104_857_600,
  modified_after: null,
  content_types: ['application/pdf'],
  storage_classes: [],
  sync_interval_minutes: 60,
  paused: false,
  next_sync_at: '2026-11-20 16:02:00',
  inventory: null,
  notifications: {
    type: 'sqs' as const,
    queue: 'https://sqs.eu-central-1.amazonaws.com/123456789012/kiln',
    status: 'active' as const,
    error: null,
    last_received_at: '2026-11-20 15:12:09',
  },
  auth_type: 'access_key' as const,
  status: 'active' as const,
  error: null,
  created_at: '2026-11-20 15:00:00',
  updated_at: '2026-11-20 15:00:00',
};

/** These credentials come from the documentation of AWS. They open nothing. */
export const exampleS3Keys = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

export const exampleObject = {
  key: 'contracts/2026/lease.pdf',
  size_bytes: 48_213,
  etag: '9b2cf535f27731c974343645a3985328',
  last_modified: '2026-11-19 08:12:44',
};

export const exampleInstructions = {
  role_arn: 'arn:aws:iam::123456789012:role/kiln',
  external_id: exampleIds.organization,
  steps: ['In your AWS account, create an IAM role with a custom trust policy.'],
  required_fields: ['role_arn', 'external_id'],
};
