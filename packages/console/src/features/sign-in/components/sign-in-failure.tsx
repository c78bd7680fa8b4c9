import { errorText } from '../../../api/error-text.js';

interface SignInFailureProps {
  error: unknown;
  /** The server has refused the code of a link. */
  isCode: boolean;
}

export function SignInFailure({ error, isCode }: SignInFailureProps) {
  const { title, detail, requestId } = errorText(error);
  const isOwn = error instanceof TypeError;
  return (
    <div className="sign-in-failure" role="alert">
      <strong>{isCode ? 'This sign-in link no longer works' : isOwn ? 'Check the key' : title}</strong>
      <p>{detail}</p>
      {requestId !== null && (
        <p className="request-id">
          Request <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}
