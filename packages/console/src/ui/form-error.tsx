import { errorText } from '../api/error-text.js';

/** Why the request of a form failed, with its id. Nothing while it has not. */
export function FormError({ error }: { error: unknown }) {
  if (error === null) return null;
  const { detail, requestId } = errorText(error);
  return (
    <p className="form-note" role="alert">
      {detail}
      {requestId !== null && (
        <>
          {' '}
          <span className="request-id">
            Request <code>{requestId}</code>
          </span>
        </>
      )}
    </p>
  );
}
