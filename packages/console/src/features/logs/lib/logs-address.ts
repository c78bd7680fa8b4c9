// Which requests are shown, as the address has it.
import type { Query } from '@kiln/sdk';

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

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

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
  const method = methods.find((one) => one === search.method);
  const status = statusOf(textOf(search.status));
  const path = pathOf(textOf(search.path));
  const key = textOf(search.key).slice(0, 100);
  const since = timeOf(textOf(search.since));
  const until = timeOf(textOf(search.until));
  return {
    ...(method && { method }),
    ...(status !== undefined && { status }),
    ...(path !== undefined && { path }),
    ...(key !== '' && { key }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

export const isFiltered = (address: LogsAddress): boolean => Object.keys(address).length > 0;

export function queryOf({ key, ...filters }: LogsAddress): Query<'listRequests'> {
  return { ...filters, ...(key !== undefined && { key_name: key }) };
}

/** The value of an input of type `datetime-local`, in the time of the browser. */
export function localTimeOf(time: string | undefined): string {
  if (time === undefined) return '';
  const date = new Date(time);
  const local = date.getTime() - date.getTimezoneOffset() * 60_000;
  return new Date(local).toISOString().slice(0, 16);
}
