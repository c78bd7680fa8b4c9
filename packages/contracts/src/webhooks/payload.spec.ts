import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { CloudEvent } from '../core/event.js';
import { encodeId } from '../core/ids.js';
import { webhookPayloadSchema } from './event-types.js';
import { eventIdOf, payloadOf, publicEventOf, timeOfEventId } from './payload.js';

const [fileId, jobId] = [encodeId('file', randomUUID()), encodeId('job', randomUUID())];
const labels = { external_id: 'invoice-7', metadata: { team: 'a' } };
const named = { space: 'default', filename: 'a.pdf', content_type: 'application/pdf' };
const file = { file_id: fileId, job_id: jobId, ...named, ...labels };

const eventOf = (type: string, data: unknown): CloudEvent => ({
  specversion: '1.0',
  id: randomUUID(),
  source: '/kiln/jobs',
  type,
  time: '2026-11-21T10:30:08.123+01:00',
  datacontenttype: 'application/json',
  tenantid: randomUUID(),
  mode: 'live',
  data,
});

describe('the payload', () => {
  it('of a finished file is what the contract promises, without what only services need', () => {
    const data = { ...file, provider: 'document_extractor', variants: ['markdown', 'metadata'], fence: 3 };
    const event = publicEventOf(eventOf('file.processing.completed', data));
    const [eventId, organizationId] = [randomUUID(), randomUUID()];
    const payload: unknown = JSON.parse(payloadOf(eventId, organizationId, event));
    expect(payload).toStrictEqual({
      id: encodeId('event', eventId),
      type: 'file.processing.completed',
      created_at: '2026-11-21T09:30:08.123Z',
      org_id: encodeId('organization', organizationId),
      data: { ...file, provider: 'document_extractor', variants: ['markdown', 'metadata'] },
    });
    expect(webhookPayloadSchema('file.processing.completed').parse(payload)).toStrictEqual(payload);
  });

  it('of every event about a file has the same members, variants that are ready by their type', () => {
    const created = publicEventOf(eventOf('file.created', { ...file, size_bytes: 3, status: 'uploaded' }));
    expect(created.data).toStrictEqual({ ...file, provider: null, variants: [] });
    const ready = publicEventOf(
      eventOf('variant.ready', { ...file, variants: ['markdown'], provider: 'document_extractor' }),
    );
    expect(ready.data).toStrictEqual({ ...file, provider: 'document_extractor', variants: ['markdown'] });
  });

  it('of a failure says why', () => {
    const error = { code: 'corrupt_file', message: 'The file is broken.', retryable: false };
    const failed = publicEventOf(
      eventOf('file.processing.failed', { ...file, provider: null, variants: [], fence: 1, error }),
    );
    expect(failed.data).toStrictEqual({ ...file, provider: null, variants: [], error });
  });

  it('has no form for internal events', () => {
    expect(() => publicEventOf(eventOf('file.processing.requested', file))).toThrow(/no public event/);
  });
});

it('the public id of an event has the time of the event, and is the same whenever it is made', () => {
  const event = { id: randomUUID(), time: '2026-11-21T10:30:08.123+01:00' };
  const id = eventIdOf(event);
  expect([eventIdOf({ ...event }), timeOfEventId(id)]).toStrictEqual([id, Date.parse('2026-11-21T09:30:08.123Z')]);
  expect(eventIdOf({ ...event, id: randomUUID() })).not.toBe(id);
  const now = '01938a3c-b0a1-7b22-9c33-44d55e66f770';
  expect(eventIdOf({ id: now, time: new Date(timeOfEventId(now)).toISOString() })).toBe(now);
});
