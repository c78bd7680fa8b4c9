import type { Schemas } from '@kiln/sdk';

/** Describes the outcome of an attempt. */
export function outcomeText({
  status_code: status,
  error,
}: Pick<Schemas['Delivery'], 'status_code' | 'error'>): string {
  if (error !== null) return error;
  return status === null ? 'No response yet.' : `The endpoint answered ${status}.`;
}
