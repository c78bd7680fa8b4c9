// A time in a request: ISO 8601 with a zone, or a date, which means midnight UTC.
import { z } from 'zod';

const error = 'must be ISO 8601 with a zone, such as 2026-11-21T09:30:00Z, or a date';

const YEAR_MAX = 9_999;

export const requestTimeSchema = z
  .union(
    [
      z.iso.datetime({ offset: true, error }),
      z.iso.datetime({ offset: true, precision: -1, error }),
      z.iso.date({ error }),
    ],
    { error },
  )
  .transform((text) => new Date(text))
  // Years outside of these cannot be stored, or have no timestamp of the usual form. An offset can lead there.
  .refine((time) => time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= YEAR_MAX, {
    error: `must be in the years 1 to ${YEAR_MAX} in UTC`,
  })
  .meta({ examples: ['2027-11-21T09:30:00Z', '2027-11-21'] });
