// Responses carry `YYYY-MM-DD HH:MM:SS` in UTC; requests carry ISO 8601 with a zone, or a bare date (UTC midnight).
import { z } from 'zod';

export function formatTimestamp(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

export const timestampSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  .meta({ description: 'UTC.', examples: ['2026-11-21 09:30:00'] });
