// Converts an error to the texts that a view shows.
import { ForbiddenError, KilnConnectionError, KilnError, KilnTimeoutError, UnauthorizedError } from '@kiln/sdk';

interface ErrorText {
  title: string;
  detail: string;
  /** To give to whoever runs the server. Null if no response arrived. */
  requestId: string | null;
}

export function errorText(error: unknown): ErrorText {
  const requestId = error instanceof KilnError ? error.requestId : null;
  if (error instanceof KilnConnectionError || error instanceof KilnTimeoutError) {
    return { title: 'The server does not answer', detail: 'Kiln is not reachable from this browser.', requestId };
  }
  if (error instanceof ForbiddenError) return { title: 'Not permitted', detail: error.message, requestId };
  if (error instanceof UnauthorizedError) return { title: 'Not signed in', detail: error.message, requestId };
  if (error instanceof KilnError) return { title: 'The request failed', detail: error.message, requestId };
  const detail = error instanceof Error ? error.message : String(error);
  return { title: 'Something went wrong in the console', detail, requestId };
}
