// The address of the next page of a list, as a Link header (RFC 8288): https://www.rfc-editor.org/rfc/rfc8288
import type { IncomingMessage } from 'node:http';
import { Reply } from '../routes/reply.domain.js';
import { ownAddress } from './own-address.http.js';
import { JsonText } from './send-json.http.js';

/** Quotes within texts are escaped, so only the member of the list looks like this. */
const NEXT_CURSOR = /"next_cursor":"([\w-]+)"/;

/** Undefined on the last page, and for an answer that is no page. */
export function nextLinkOf(
  answer: unknown,
  { request, url, publicUrl }: { request: IncomingMessage; url: string; publicUrl: string | undefined },
): string | undefined {
  const cursor = cursorOf(answer);
  if (cursor === undefined) return undefined;
  const own = ownAddress(request, publicUrl);
  // A request may name its target with scheme and host (RFC 9112, 3.2.2).
  const { pathname, search } = new URL(url, own);
  const next = new URL(own + pathname + search);
  next.searchParams.set('cursor', cursor);
  return `<${next.href}>; rel="next"`;
}

function cursorOf(answer: unknown): string | undefined {
  // The cursor follows the rows.
  if (answer instanceof JsonText) return NEXT_CURSOR.exec(answer.text.slice(-CURSOR_CHARACTERS_MAX))?.[1];
  const json = answer instanceof Reply ? answer.answer.json : answer;
  if (typeof json !== 'object' || json === null || !('next_cursor' in json)) return undefined;
  return typeof json.next_cursor === 'string' ? json.next_cursor : undefined;
}

const CURSOR_CHARACTERS_MAX = 1_200;
