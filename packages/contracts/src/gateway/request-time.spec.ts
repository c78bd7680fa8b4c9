import { expect, it } from '@jest/globals';
import { requestTimeSchema } from './request-time.js';

it('a time in a request is ISO 8601 with a zone; a bare date is midnight UTC', () => {
  const instants = {
    '2027-01-02': '2027-01-02T00:00:00.000Z',
    '2027-01-02T03:04:05Z': '2027-01-02T03:04:05.000Z',
    '2027-01-02T03:04:05.678+02:00': '2027-01-02T01:04:05.678Z',
  };
  for (const [text, instant] of Object.entries(instants)) {
    expect(requestTimeSchema.parse(text).toISOString()).toBe(instant);
  }
});

it.each(['', 'tomorrow', '2027-01-02T03:04:05', '2027-02-30', '2027-13-01', '1767323045', 1, null, {}])(
  '%j is refused with a message that shows the form',
  (wrong) => {
    const { success, error } = requestTimeSchema.safeParse(wrong);
    expect(success).toBe(false);
    expect(error?.issues[0]?.message ?? '').toMatch(/^must be ISO 8601 with a zone, such as/);
  },
);
