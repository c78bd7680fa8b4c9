import type { ApiCall } from '../../../ui/api-call.js';
import { queryOf, type LogsAddress } from './logs-address.js';

/** The list with its filters, as a call of the API. */
export function logsCalls(address: LogsAddress): ApiCall[] {
  const query = queryOf(address);
  return [
    {
      title: 'List the requests',
      scope: 'logs:read',
      method: 'GET',
      path: '/v1/api-logs',
      query,
      sdk: 'requestLog.list',
      args: [query],
    },
  ];
}
