import type { Schemas } from '@kiln/sdk';
import { shellQuoted } from '../../../ui/shell-quoted.js';

type Logged = Pick<Schemas['ListRequestsResponse']['logs'][number], 'method' | 'path'>;

/** The request again. The log has neither the query nor the body, and the key is that of whoever runs it. */
export function curlOf(origin: string, { method, path }: Logged): string {
  const lines = [
    `curl ${methodWords(method)}${shellQuoted(origin + path)}`,
    `-H "Authorization: ApiKey $KILN_API_KEY"`,
  ];
  if (['POST', 'PUT', 'PATCH'].includes(method)) lines.push('-H "Content-Type: application/json"', '-d @body.json');
  return lines.join(' \\\n  ');
}

function methodWords(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '--head ' : `-X ${shellQuoted(method)} `;
}
