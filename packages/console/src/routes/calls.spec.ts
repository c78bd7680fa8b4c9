import { expect, it } from '@jest/globals';
import { analyticsCalls } from '../features/analytics/lib/analytics-calls.js';
import * as connections from '../features/connections/lib/connection-calls.js';
import { fileCalls, reprocessCall } from '../features/file/lib/file-calls.js';
import type { FileRow } from '../features/files/lib/bulk.js';
import { filesCalls } from '../features/files/lib/files-calls.js';
import * as keys from '../features/keys/lib/key-calls.js';
import { logsCalls } from '../features/logs/lib/logs-calls.js';
import { searchCall } from '../features/search/lib/search-call.js';
import * as settings from '../features/settings/lib/settings-calls.js';
import * as webhooks from '../features/webhooks/lib/webhook-calls.js';
import { commandsOf, type ApiCall } from '../ui/api-call.js';

const row = (id: string, status: FileRow['status']) => ({ id, status, job_id: `job_${id}` }) as FileRow;
const selected = [row('file_1', 'completed'), row('file_2', 'failed'), row('file_3', 'processing')];
const bucket = { provider: 'b2', name: 'acme', bucket: 'acme', credentials: { access_key_id: 'AK' } } as const;

const calls: ApiCall[] = [
  ...analyticsCalls(30),
  ...connections.listCalls,
  ...connections.setupCalls(bucket),
  ...connections.connectionCalls('conn_1', 'Contracts'),
  ...fileCalls({ id: 'file_1', job_id: 'job_1', metadata: { department: 'legal' } }),
  reprocessCall('file_1', ['markdown']),
  ...filesCalls({ q: 'a b', space: 'kiln' }, selected),
  ...keys.listCalls,
  keys.createCall({ name: 'reader', mode: 'live', scopes: ['files:read'] }),
  keys.revokeCall('key_1'),
  ...logsCalls({ status: 404, key: 'reader' }),
  searchCall({ q: 'a lease', view: 'compare', space: 'kiln' }),
  searchCall({ q: 'a lease?', view: 'ask' }),
  ...settings.processingCalls,
  ...settings.routingCalls([{ content_type: 'image/*', provider: 'image_extractor' }]),
  ...settings.providerKeyCalls,
  ...settings.brandingCalls,
  ...settings.portalCalls,
  ...webhooks.listCalls,
  webhooks.createCall({ url: 'https://example.com', events: ['*'], spaces: null, headers: {} }),
  webhooks.updateCall('wh_1', { active: false }),
  webhooks.replayCall('wh_1', { since: '2026-11-27T10:00:00Z' }),
  ...webhooks.webhookCalls('wh_1', 'del_1'),
];

it.each(calls.map((call) => [`${call.sdk}: ${call.title}`, call] as const))(
  'a command sends a request to the API, with a key of whoever runs it: %s',
  async (_name, call) => {
    const { curl } = await commandsOf('https://kiln.test', call);
    expect(curl).toMatch(
      /^curl (-X '[A-Z]+' )?'https:\/\/kiln\.test\/v1\/\S+' \\\n  -H "Authorization: ApiKey \$KILN_API_KEY"/,
    );
  },
);

it('the titles of a page are different: they choose the action', () => {
  for (const page of [
    fileCalls({ id: 'f', job_id: 'j', metadata: {} }),
    connections.connectionCalls('c', 'n'),
    webhooks.webhookCalls('w', 'd'),
    filesCalls({}, selected),
    analyticsCalls(7),
  ]) {
    expect(new Set(page.map(({ title }) => title)).size).toBe(page.length);
  }
});
