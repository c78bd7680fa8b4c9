import { shellQuoted } from './shell-quoted.js';

export interface CurlRequest {
  method: string;
  /** With the query. */
  path: string;
  /** An object is sent as JSON. A text is the argument of `-d`, for example `@body.json`. */
  body?: object | string | undefined;
}

/** The request as a command. It reads the key from the environment. */
export function curlOf(origin: string, { method, path, body }: CurlRequest): string {
  const lines = [
    `curl ${methodWords(method)}${shellQuoted(origin + path)}`,
    `-H "Authorization: ApiKey $KILN_API_KEY"`,
  ];
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d ${typeof body === 'string' ? body : shellQuoted(JSON.stringify(body))}`);
  }
  return lines.join(' \\\n  ');
}

function methodWords(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '--head ' : `-X ${shellQuoted(method)} `;
}
