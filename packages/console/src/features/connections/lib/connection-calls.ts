// The actions on connections, as calls of the API.
import { callsWith, type ApiCall } from '../../../ui/api-call.js';
import { withoutSecrets, type VerifyRequest } from './setup-form.js';

const read = callsWith('connections:read');
const write = callsWith('connections:write');

export const listCalls: readonly ApiCall[] = [read('List connections', 'connections.list')];

export const setupCalls = (request: VerifyRequest): ApiCall[] => [
  write('Verify and connect', 'connections.verify', withoutSecrets(request)),
  write('Get the steps', 'connections.start', { provider: request.provider }),
];

export const connectionCalls = (id: string, name: string): ApiCall[] => [
  write('Sync', 'connections.startSync', id),
  write('Sync with force', 'connections.startSync', id, { force: true }),
  write('Preview a sync', 'connections.previewSync', id),
  write('Cancel the sync', 'connections.cancelSync', id),
  callsWith('files:write')('Process the files', 'files.processMany', { connection_id: id }),
  read('Get the progress', 'connections.getSyncProgress', id),
  read('List the syncs', 'connections.listSyncs', id),
  read('List the objects', 'connections.browse', id),
  write('Test', 'connections.test', id),
  write('Rename', 'connections.update', id, { name }),
  write('Delete', 'connections.delete', id),
];
