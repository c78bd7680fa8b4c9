// Examples of what the webhooks service answers and sends.
import { encodeId, type WebhookEventType } from '@kiln/contracts';
import { exampleConnection } from './connections.examples.js';
import { exampleFile, exampleIds } from './shared.examples.js';
import { exampleSync } from './nodes.examples.js';

const eventId = encodeId('event', '01938a3c-b0a1-7b22-9c33-44d55e66f770');

export const exampleWebhook = {
  id: encodeId('webhook', '01938a20-3000-7000-8000-000000000003'),
  url: 'https://example.com/hooks/kiln',
  events: ['file.processing.completed' as const, 'file.processing.failed' as const],
  spaces: null,
  active: true,
  description: null,
  header_names: [],
  failing_since: null,
  last_error: null,
  disabled_reason: null,
  created_at: '2026-11-20 16:00:00',
  updated_at: '2026-11-20 16:00:00',
};

export const exampleDelivery = {
  id: encodeId('delivery', '01938a3c-b0a2-7c11-8d22-33e44f55a660'),
  event_id: eventId,
  event_type: 'file.processing.completed' as const,
  status: 'delivered' as const,
  attempt: 1,
  status_code: 204,
  attempted_at: '2026-11-21 09:30:08',
  duration_ms: 38,
  error: null,
  response_body: '',
  next_attempt_at: null,
  created_at: '2026-11-21 09:30:08',
};

const file = {
  file_id: exampleIds.file,
  job_id: exampleIds.job,
  space: exampleFile.space,
  filename: exampleFile.filename,
  content_type: exampleFile.content_type,
  external_id: exampleFile.external_id,
  metadata: exampleFile.metadata,
  provider: 'document_extractor',
};
const error = { code: 'corrupt_file', message: 'The file is damaged and cannot be read.', retryable: false };
const { id: sync_id, files_added, files_updated, files_deleted } = exampleSync;
const sync = { connection_id: exampleConnection.id, sync_id, files_added, files_updated, files_deleted };

/** The `data` of an event of each type. */
const exampleEventData: Record<WebhookEventType, unknown> = {
  'file.created': { ...file, provider: null, variants: [] },
  'file.deleted': { ...file, provider: null, variants: [] },
  'file.processing.completed': { ...file, variants: ['markdown', 'metadata', 'searchable-index'] },
  'file.processing.failed': { ...file, variants: [], error },
  'variant.ready': { ...file, variants: ['markdown', 'metadata'] },
  'job.failed': { job_id: exampleIds.job, file_id: exampleIds.file, attempts: 1, error },
  'connection.synced': sync,
  'connection.sync.failed': {
    ...sync,
    error: { code: 'access_denied', message: 'The bucket refused the credentials.' },
  },
  'webhook.disabled': {
    webhook_id: exampleWebhook.id,
    url: exampleWebhook.url,
    reason: 'failing',
    failing_since: '2026-11-16T09:00:00.000Z',
  },
  'webhook.test': { webhook_id: exampleWebhook.id, message: 'This is a test. Kiln can reach this endpoint.' },
};

export const examplePayload = (type: WebhookEventType) => ({
  id: eventId,
  type,
  created_at: '2026-11-21T09:30:08.000Z',
  org_id: exampleIds.organization,
  data: exampleEventData[type],
});
