// Writes directly to Node's response, because Express would compute a charset, an ETag and freshness each time.
import type { ServerResponse } from 'node:http';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON text from a service, passed on without parsing. */
export class JsonText {
  constructor(readonly text: string) {}
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
