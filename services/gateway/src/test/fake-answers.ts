// The stateless answers of the fake services.
import { filesOperations, jobsOperations, jobsWorkerOperations, searchOperations } from '@kiln/contracts';
import { routeTable } from '../routes/table.routes.js';
import type { Answer } from './fake-bus.js';

/** Each operation that a row forwards to returns the response of the row's example. */
export function answerFromExamples(answer: Answer): void {
  for (const { operation, example } of routeTable) {
    // table.routes.spec.ts checks that each example fits its schema.
    if (operation) answer(operation, () => example.response);
  }
  // No route returns the answer of one of these alone.
  answer(jobsWorkerOperations.findEngines, () => ({ documents: true, images: true, audio: false }));
  answer(searchOperations.findModels, () => ({ embeddings: false, reranking: false, chat_models: [] }));
  for (const operation of [jobsWorkerOperations.testExtractionKey, searchOperations.testModelKey])
    answer(operation, () => ({ ok: true, duration_ms: 1, error: null }));
}

/** Every batch has ended. */
export function answerBatches(answer: Answer): void {
  const empty = { total: 0, completed: 0, failed: 0, cancelled: 0, in_progress: 0, rest: 'none' as const, files: [] };
  answer(filesOperations.getBatch, ({ id }) => ({ ...empty, id }));
}

/** Every organization has pages left. */
export function answerPageReservations(answer: Answer): void {
  answer(jobsOperations.reservePages, ({ jobs }) => ({ reserved: jobs.map(({ id }) => id), lease_seconds: 900 }));
  answer(jobsOperations.releasePages, () => ({}));
}
