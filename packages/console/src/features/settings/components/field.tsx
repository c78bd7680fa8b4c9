import { useId, type ReactNode } from 'react';

interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface FieldProps {
  title: string;
  hint?: ReactNode;
  /** What the API says about it. */
  error?: string | null;
  /** Whether the value is not saved. */
  isChanged?: boolean;
  children: (control: ControlProps) => ReactNode;
}

/** A control with its label, its hint and its error. */
export function Field({ title, hint, error = null, isChanged = false, children }: FieldProps) {
  const [id, hintId, errorId] = [useId(), useId(), useId()];
  const describedBy = [hint !== undefined && hintId, error !== null && errorId].filter(Boolean).join(' ');
  return (
    <div className="settings-field" data-changed={isChanged}>
      <label htmlFor={id}>{title}</label>
      {isChanged && <span className="settings-mark">Not saved</span>}
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error !== null,
      })}
      {hint !== undefined && (
        <p id={hintId} className="muted">
          {hint}
        </p>
      )}
      {error !== null && (
        <p id={errorId} className="form-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
