import type { IncomingHttpHeaders } from 'node:http';

export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The parsed body of a JSON request. */
  json: Record<string, unknown>;
}
