// Converts an answer to text that can be kept, and back.
import { CodedError, errorKinds, type ErrorCode } from '@kiln/contracts';
import { z } from 'zod';
import { JsonText } from '../http/send-json.http.js';
import { Reply } from '../routes/reply.domain.js';
import { ReusedKey } from './reused-key.domain.js';

/** A longer answer is not kept. The answers of operations are shorter. */
const CHARACTERS_MAX = 1024 * 1024;

/** A repeat would meet these errors again, because they follow from the request. Others may not occur the next time. */
const KEPT_ERRORS: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'CONFLICT']);

const keptSchema = z.union([
  z.object({ json: z.unknown(), status: z.int().optional(), headers: z.record(z.string(), z.string()).optional() }),
  z.object({ error: z.enum(Object.keys(errorKinds) as [ErrorCode, ...ErrorCode[]]), message: z.string() }),
]);

/** Returns null for an answer that is not kept. */
export function textOfResponse(answer: unknown): string | null {
  if (answer instanceof JsonText) return bounded({ json: JSON.parse(answer.text) as unknown });
  if (!(answer instanceof Reply)) return bounded({ json: answer });
  const { status, headers, json, ...others } = answer.answer;
  const isJson = Object.values(others).every((other) => other === undefined);
  return isJson ? bounded({ status, headers, json }) : null;
}

export function textOfError(error: unknown): string | null {
  if (!(error instanceof CodedError) || !KEPT_ERRORS.has(error.code) || error instanceof ReusedKey) return null;
  return bounded({ error: error.code, message: error.message });
}

function bounded(kept: object): string | null {
  const text = JSON.stringify(kept);
  return text.length > CHARACTERS_MAX ? null : text;
}

/** Returns the kept answer, or throws the kept error. */
export function responseOfText(text: string): Reply {
  const kept = keptSchema.parse(JSON.parse(text));
  if ('error' in kept) throw new CodedError(kept.error, kept.message);
  const { json, status, headers } = kept;
  return new Reply({ json, ...(status !== undefined && { status }), ...(headers && { headers }) });
}
