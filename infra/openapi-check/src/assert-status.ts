/**
 * Fails unless the answer has this status. The message shows the answer's body, and `request`: what was asked, in whatever
 * words tell the cases of a test apart.
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
