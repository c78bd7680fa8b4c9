// A time in a request: ISO 8601 with a zone, or a date, which means midnight UTC.
import { z } from 'zod';

const error = 'must be ISO 8601 with a zone, such as 2026-11-21T09:30:00Z, or a date';

export const requestTimeSchema = z
  .union([z.iso.datetime({ offset: true, error }), z.iso.date({ error })], { error })
  .transform((text) => new Date(text))
  .meta({ examples: ['2027-11-21T09:30:00Z', '2027-11-21'] });
