import { eventStreamQuerySchema, streamedEventSchema } from '@kiln/contracts';
import { streamEvents, streamHeadersSchema } from '../event-streams/stream-events.handler.js';
import { sharedRoute } from './kinds.route.js';
import { examplePayload } from './webhooks.examples.js';

/** For finding the event after which a stream resumes. */
const RESUME_MS = 20_000;

export const eventsRoutes = [
  sharedRoute({
    name: 'streamEvents',
    method: 'GET',
    path: '/v1/events/stream',
    tag: 'Events',
    summary: 'Stream events as they happen.',
    description:
      'Server-sent events: `id` is the id of the event, `event` its type, and `data` what a webhook would receive. `job.progress` has no `id`, is not ' +
      'stored and not repeated. Read them with `fetch`, which can send the Authorization header. The holder of a portal token receives the events of ' +
      'files and the progress of jobs in the space of the token.\n\n' +
      'A stream can end at any time: connect again with `Last-Event-ID`, and the events since then follow. An id that is unknown or older than 24 ' +
      'hours returns 410 (`EVENTS_EXPIRED`). A reader that falls 1 MiB behind is cut off. A comment is sent every 15 seconds. ' +
      'Credentials may have 10 open streams, and an organization 100 (429).',
    scope: 'webhooks:read',
    query: eventStreamQuerySchema,
    headers: streamHeadersSchema,
    handler: streamEvents,
    response: streamedEventSchema,
    mediaType: 'text/event-stream',
    errors: ['EVENTS_EXPIRED'],
    timeoutMs: RESUME_MS,
    example: { response: examplePayload('file.processing.completed') },
  }),
];
