// Which requests are shown, as the address has it.
import type { Query } from '@kiln/sdk';
import { oneOf, textOf } from '../../../ui/address.js';
import { defined } from '../../../ui/defined.js';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
type Method = (typeof methods)[number];

export interface LogsAddress {
  method?: Method;
  /** The exact status of the response. */
  status?: number;
  /** The beginning of the path. */
  path?: string;
  /** The exact name of the key. */
  key?: string;
  /** ISO 8601, in UTC. */
  since?: string;
  until?: string;
}

const statusOf = (text: string): number | undefined => (/^[1-5]\d\d$/.test(text) ? Number(text) : undefined);

/** People also type `v1/files`. */
function pathOf(text: string): string | undefined {
  const path = text.startsWith('/') ? text : `/${text}`;
  return /^\/[\x21-\x7e]{1,1023}$/.test(path) ? path : undefined;
}

function timeOf(text: string): string | undefined {
  const time = new Date(text);
  return text === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Ignores what it does not know: addresses are typed and shared. */
export function readLogsAddress(search: { [Name in keyof LogsAddress]?: unknown }): LogsAddress {
  const trimmed = (name: keyof LogsAddress) => textOf(search[name])?.trim() ?? '';
  return defined({
    method: oneOf(methods, search.method),
    status: statusOf(trimmed('status')),
    path: pathOf(trimmed('path')),
    key: trimmed('key').slice(0, 100) || undefined,
    since: timeOf(trimmed('since')),
    until: timeOf(trimmed('until')),
  });
}

export const isFiltered = (address: LogsAddress): boolean => Object.keys(address).length > 0;

export const queryOf = ({ key, ...filters }: LogsAddress): Query<'listRequests'> =>
  defined({ ...filters, key_name: key });
