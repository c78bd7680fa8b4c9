// The stateless answers of the fake services.
import { jobsOperations } from '@kiln/contracts';
import { routeTable } from '../routes/table.routes.js';
import type { Answer } from './fake-bus.js';

/** Each operation that a row forwards to returns the response of the row's example. */
export function answerFromExamples(answer: Answer): void {
  for (const { operation, example } of routeTable) {
    // table.routes.spec.ts checks that each example fits its schema.
    if (operation) answer(operation, () => example.response);
  }
}

/** Every organization has pages left. */
export function answerPageReservations(answer: Answer): void {
  answer(jobsOperations.reservePages, ({ jobs }) => ({ reserved: jobs.map(({ id }) => id), lease_seconds: 900 }));
  answer(jobsOperations.releasePages, () => ({}));
}
