// The states of a view beside its content: loading, empty, no match, failed.
import type { ReactNode } from 'react';
import { errorText } from '../api/error-text.js';
import { Button } from './button.js';
import { Icon, type IconName } from './icon.js';

/** Grey lines in the place of rows that are being loaded. */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div className="skeleton-rows" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="skeleton" />
      ))}
    </div>
  );
}

interface NoticeProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  /** What to do next. */
  action?: ReactNode;
}

/** There is nothing yet, or nothing that matches. */
export function Notice({ icon, title, children, action }: NoticeProps) {
  return (
    <div className="notice">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action && <div className="notice-action">{action}</div>}
    </div>
  );
}

export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail, requestId } = errorText(error);
  return (
    <div className="notice notice-failed" role="alert">
      <Icon name="alert" />
      <h2>{title}</h2>
      <p>{detail}</p>
      {requestId !== null && (
        <p className="request-id">
          Request <code>{requestId}</code>
        </p>
      )}
      {onRetry && (
        <div className="notice-action">
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
