import { lastEventIdSchema, parseInput, type EventStreamQuery } from '@kiln/contracts';
import { z } from 'zod';
import type { Caller } from '../auth/caller.domain.js';
import { Reply } from '../routes/reply.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { STREAM_HEADERS } from './event-stream.http.js';

export const streamHeadersSchema = z.object({ 'Last-Event-ID': lastEventIdSchema.optional() });

/** Sends the events of the caller's tenant, or of the space of a portal token, until the caller leaves. */
export async function streamEvents(
  { query, caller, context, http }: RouteRequest<object, EventStreamQuery, undefined, Caller>,
  { eventStreams, credentials }: Pick<GatewayServices, 'eventStreams' | 'credentials'>,
): Promise<Reply> {
  const { 'last-event-id': given, authorization } = http.headers;
  const { 'Last-Event-ID': lastEventId } = parseInput(streamHeadersSchema, { 'Last-Event-ID': given });
  if (http.method === 'HEAD') return new Reply({ text: '', headers: STREAM_HEADERS });
  const checkCredentials = () => credentials.reconfirm(authorization);
  const { deadlineAt } = context;
  return new Reply({ stream: await eventStreams.start({ caller, query, lastEventId, deadlineAt, checkCredentials }) });
}
