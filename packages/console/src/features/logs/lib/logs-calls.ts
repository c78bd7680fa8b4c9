import { callsWith, type ApiCall } from '../../../ui/api-call.js';
import { queryOf, type LogsAddress } from './logs-address.js';

/** The list with its filters, as a call of the API. */
export const logsCalls = (address: LogsAddress): ApiCall[] => [
  callsWith('logs:read')('List the requests', 'requestLog.list', queryOf(address)),
];
