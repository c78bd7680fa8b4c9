import { errorText } from '../../../api/error-text.js';

/** Why the request failed, with its id. */
export function FormError({ error }: { error: unknown }) {
  if (error === null) return null;
  const { detail, requestId } = errorText(error);
  return (
    <div className="connection-note" role="alert">
      {detail}
      {requestId !== null && (
        <>
          {' '}
          <span className="request-id">
            Request <code>{requestId}</code>
          </span>
        </>
      )}
    </div>
  );
}
