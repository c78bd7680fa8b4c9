// The states of a view beside its content: loading, empty, no match, failed.
import { KilnConnectionError, KilnError, KilnTimeoutError } from '@kiln/sdk';
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

/** Grey lines in the place of what is being loaded. */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div class="skeleton-rows" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton" />
      ))}
    </div>
  );
}

export interface NoticeProps {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
  /** What to do next. */
  action?: ComponentChildren;
}

/** `isPage`: there is nothing else on the page. */
export function Notice({ icon, title, isPage = false, children, action }: NoticeProps & { isPage?: boolean }) {
  return (
    <div class="notice">
      <Icon name={icon} />
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <p>{children}</p>}
      {action && <div class="notice-action">{action}</div>}
    </div>
  );
}

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isAway = error instanceof KilnConnectionError || error instanceof KilnTimeoutError;
  const requestId = error instanceof KilnError ? error.requestId : null;
  return (
    <div class="notice notice-failed" role="alert">
      <Icon name="alert" />
      <h2>{isAway ? 'Not loaded yet' : 'This did not work'}</h2>
      <p>{isAway ? 'It is loaded when the connection is back.' : detailOf(error)}</p>
      {requestId !== null && (
        <p class="request-id">
          Request <code>{requestId}</code>
        </p>
      )}
      <div class="notice-action">
        <button type="button" class="button" onClick={onRetry}>
          <Icon name="refresh" /> Try again
        </button>
      </div>
    </div>
  );
}

const detailOf = (error: unknown): string =>
  error instanceof KilnError ? error.message : 'Something went wrong in this page.';
