/**
 * Fails unless the response has this status. The message contains the body of the response and `request`, a description of
 * the request that identifies the case of the test.
 */
export function assertStatus(
  answer: { status: number; body?: unknown },
  expected: number,
  request = 'The request',
): void {
  if (answer.status === expected) return;
  const body = JSON.stringify(answer.body ?? null);
  throw new Error(`${request} returned ${answer.status} instead of ${expected}: ${body}`);
}
