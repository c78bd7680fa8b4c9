// What is kept of an answer so that it can be given again, as text.
import { CodedError, errorKinds, type ErrorCode } from '@kiln/contracts';
import { z } from 'zod';
import { JsonText } from '../http/send-json.js';
import { Reply } from '../routes/reply.js';

/** A longer answer is not kept; no answer of an operation is longer. */
const CHARACTERS_MAX = 1024 * 1024;

/** Refusals that come of what the request itself asked for and did. Others may well turn out differently next time. */
const KEPT_ERRORS: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'CONFLICT']);

const keptSchema = z.union([
  z.object({ json: z.unknown(), status: z.int().optional(), headers: z.record(z.string(), z.string()).optional() }),
  z.object({ error: z.enum(Object.keys(errorKinds) as [ErrorCode, ...ErrorCode[]]), message: z.string() }),
]);

/** Null for an answer that is not to be kept. */
export function textOfAnswer(answer: unknown): string | null {
  if (answer instanceof JsonText) return bounded({ json: JSON.parse(answer.text) as unknown });
  if (!(answer instanceof Reply)) return bounded({ json: answer });
  const { status, headers, json, text, file } = answer.answer;
  return text === undefined && file === undefined ? bounded({ status, headers, json }) : null;
}

export function textOfError(error: unknown): string | null {
  if (!(error instanceof CodedError) || !KEPT_ERRORS.has(error.code)) return null;
  return bounded({ error: error.code, message: error.message });
}

function bounded(kept: object): string | null {
  const text = JSON.stringify(kept);
  return text.length > CHARACTERS_MAX ? null : text;
}

/** The answer again; throws the error again. */
export function answerOfText(text: string): Reply {
  const kept = keptSchema.parse(JSON.parse(text));
  if ('error' in kept) throw new CodedError(kept.error, kept.message);
  const { json, status, headers } = kept;
  return new Reply({ json, ...(status !== undefined && { status }), ...(headers && { headers }) });
}
