// Waits until a new file is processed, for uploads with `wait`.
import { CodedError, storedFileSchema, type JobsOutput, type processedFileSchema } from '@kiln/contracts';
import type { z } from 'zod';
import { holdsScope, type KeyCaller } from '../auth/caller.domain.js';
import { getJob } from '../jobs/get-job.handler.js';
import { Reply } from '../routes/reply.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { readVariants } from '../variants/variants.handler.js';

type StoredFile = z.output<typeof storedFileSchema>;
type ProcessedFile = z.input<typeof processedFileSchema>;
type Job = JobsOutput<'getJob'>;

const READ_MS = 10_000;
const FILE_STATUS = {
  queued: 'uploaded',
  processing: 'processing',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'uploaded',
} as const satisfies Record<Job['status'], StoredFile['status']>;

/** The response has variants. Throws FORBIDDEN. */
export function assertMayWait(caller: KeyCaller, { wait }: { wait: number }): void {
  if (wait === 0 || holdsScope(caller, 'files:read')) return;
  throw new CodedError(
    'FORBIDDEN',
    'The response to a request with wait has variants, so the key needs the scope files:read.',
  );
}

/** Returns any other answer than a stored file with a job unchanged, and so does an outage: the file has been stored in any case. */
export async function awaitProcessing(
  answer: unknown,
  {
    query,
    caller,
    context,
    http,
  }: Pick<RouteRequest<object, { wait: number }>, 'query' | 'caller' | 'context' | 'http'>,
  services: GatewayServices,
): Promise<unknown> {
  // The handler has not checked it if the answer is one that an Idempotency-Key repeats.
  assertMayWait(caller, query);
  const file = query.wait === 0 ? null : storedFileOf(answer);
  if (!file?.job_id) return answer;
  const asked = { context: { ...context, deadlineAt: Date.now() + query.wait * 1_000 + READ_MS }, http };
  try {
    const job = await getJob({ ...asked, params: { id: file.job_id }, query }, services);
    const variants = job.status === 'completed' ? await readVariants(file.id, asked, services) : [];
    return { ...file, status: FILE_STATUS[job.status], error: job.error, variants } satisfies ProcessedFile;
  } catch (error) {
    if (error instanceof CodedError && (error.retryable || error.code === 'NOT_FOUND')) return answer;
    throw error;
  }
}

/** An Idempotency-Key repeats an answer as JSON. */
function storedFileOf(answer: unknown): StoredFile | null {
  const { data } = storedFileSchema.safeParse(answer instanceof Reply ? answer.answer.json : answer);
  return data ?? null;
}
