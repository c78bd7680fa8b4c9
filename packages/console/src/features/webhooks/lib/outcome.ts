// Describes the outcome of an attempt.

interface Outcome {
  status_code: number | null;
  error: string | null;
}

export function outcomeText({ status_code: status, error }: Outcome): string {
  if (error !== null) return error;
  return status === null ? 'No response yet.' : `The endpoint answered ${status}.`;
}
