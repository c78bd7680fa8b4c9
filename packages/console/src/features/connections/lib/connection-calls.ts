// The actions on connections, as calls of the API.
import type { ApiCall } from '../../../ui/api-call.js';
import { withoutSecrets, type VerifyRequest } from './setup-form.js';

const read = { scope: 'connections:read', method: 'GET' } as const;
const write = { scope: 'connections:write', method: 'POST' } as const;

export const listCalls: readonly ApiCall[] = [
  { title: 'List connections', ...read, path: '/v1/connections', sdk: 'connections.list', args: [] },
];

export function setupCalls(request: VerifyRequest): ApiCall[] {
  const body = withoutSecrets(request);
  const { provider } = request;
  return [
    {
      title: 'Verify and connect',
      ...write,
      path: '/v1/connections/verify',
      body,
      sdk: 'connections.verify',
      args: [body],
    },
    {
      title: 'Get the steps',
      ...write,
      path: '/v1/connections/start',
      body: { provider },
      sdk: 'connections.start',
      args: [{ provider }],
    },
  ];
}

export function connectionCalls(id: string, name: string): ApiCall[] {
  const path = `/v1/connections/${id}`;
  return [
    { title: 'Sync', ...write, path: `${path}/sync`, body: {}, sdk: 'connections.startSync', args: [id] },
    {
      title: 'Sync with force',
      ...write,
      path: `${path}/sync`,
      body: { force: true },
      sdk: 'connections.startSync',
      args: [id, { force: true }],
    },
    { title: 'Preview a sync', ...write, path: `${path}/sync/preview`, sdk: 'connections.previewSync', args: [id] },
    { title: 'Cancel the sync', ...write, path: `${path}/sync/cancel`, sdk: 'connections.cancelSync', args: [id] },
    {
      title: 'Process the files',
      scope: 'files:write',
      method: 'POST',
      path: '/v1/files/process-batch',
      body: { connection_id: id },
      sdk: 'files.processMany',
      args: [{ connection_id: id }],
    },
    {
      title: 'Get the progress',
      ...read,
      path: `${path}/sync/progress`,
      sdk: 'connections.getSyncProgress',
      args: [id],
    },
    { title: 'List the syncs', ...read, path: `${path}/sync/history`, sdk: 'connections.listSyncs', args: [id] },
    { title: 'List the objects', ...read, path: `${path}/browse`, sdk: 'connections.browse', args: [id] },
    { title: 'Test', ...write, path: `${path}/test`, sdk: 'connections.test', args: [id] },
    {
      title: 'Rename',
      ...write,
      method: 'PATCH',
      path,
      body: { name },
      sdk: 'connections.update',
      args: [id, { name }],
    },
    { title: 'Delete', ...write, method: 'DELETE', path, sdk: 'connections.delete', args: [id] },
  ];
}
