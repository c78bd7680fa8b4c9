import { expect, it } from '@jest/globals';
import { requestTimeSchema } from './request-time.js';

it('a time in a request is ISO 8601 with a zone; a bare date is midnight UTC', () => {
  const instants = {
    '2027-01-02': '2027-01-02T00:00:00.000Z',
    '2027-01-02T03:04:05Z': '2027-01-02T03:04:05.000Z',
    '2027-01-02T03:04:05.678+02:00': '2027-01-02T01:04:05.678Z',
    '2027-01-02T03:04Z': '2027-01-02T03:04:00.000Z',
    '2027-01-02T03:04-01:00': '2027-01-02T04:04:00.000Z',
    '0001-01-01': '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59+00:00': '9999-12-31T23:59:59.000Z',
  };
  for (const [text, instant] of Object.entries(instants)) {
    expect(requestTimeSchema.parse(text).toISOString()).toBe(instant);
  }
});

it.each([
  '',
  'tomorrow',
  '2027-01-02T03:04:05',
  '2027-01-02T03:04',
  '2027-01-02T03Z',
  '2027-02-30',
  '2027-13-01',
  '1767323045',
  1,
  null,
  {},
])('%j is refused with a message that shows the form', (wrong) => {
  const { success, error } = requestTimeSchema.safeParse(wrong);
  expect(success).toBe(false);
  expect(error?.issues[0]?.message ?? '').toMatch(/^must be ISO 8601 with a zone, such as/);
});

it.each(['0000-12-31', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
  '%s is refused: its year in UTC has no timestamp of four digits',
  (text) => {
    expect(requestTimeSchema.safeParse(text).error?.issues[0]?.message).toBe('must be in the years 1 to 9999 in UTC');
  },
);
