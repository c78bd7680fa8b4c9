import { errorText } from '../../../api/error-text.js';

/** Why the request failed, with its id. */
export function FormError({ error }: { error: unknown }) {
  const { detail, requestId } = errorText(error);
  return (
    <p className="settings-note" role="alert">
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
