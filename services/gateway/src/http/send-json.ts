// Writes an answer straight to Node's response: Express would look for a charset, an ETag and a cached copy each time.
import type { ServerResponse } from 'node:http';

/** JSON as a service wrote it, passed on without being read. */
export class JsonText {
  constructor(readonly text: string) {}
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
