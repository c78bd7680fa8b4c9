// A row of a form: a control with its label, its hint and its error.
import { useId, type ComponentProps, type ReactNode } from 'react';

interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface RowProps {
  title: string;
  hint?: ReactNode;
  /** What the API says about it. */
  error?: string | null;
  /** Whether the value is not saved. */
  isChanged?: boolean;
}

type FieldProps = RowProps & { children: (control: ControlProps) => ReactNode };

export function Field({ title, hint, error = null, isChanged = false, children }: FieldProps) {
  const [id, hintId, errorId] = [useId(), useId(), useId()];
  const describedBy = [hint !== undefined && hintId, error !== null && errorId].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      {isChanged && <span className="field-mark">Not saved</span>}
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

type TextFieldProps = RowProps &
  Omit<ComponentProps<'input'>, keyof RowProps | 'onChange'> & { value: string; onChange: (value: string) => void };

export function TextField({ title, hint, error = null, isChanged = false, onChange, ...input }: TextFieldProps) {
  return (
    <Field title={title} hint={hint} error={error} isChanged={isChanged}>
      {(control) => (
        <input
          {...control}
          spellCheck={false}
          autoComplete="off"
          {...input}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Browsers offer to store what they take for a password of this page. */
export const SECRET_INPUT = { type: 'password', autoComplete: 'new-password' } as const;

interface SelectFieldProps<Value extends string> extends RowProps {
  options: readonly (readonly [value: Value, title: string])[];
  value: Value;
  isDisabled?: boolean;
  onChange: (value: Value) => void;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { options, value, isDisabled = false, onChange, ...row } = props;
  return (
    <Field {...row}>
      {(control) => (
        <select
          {...control}
          value={value}
          disabled={isDisabled}
          onChange={({ target }) => onChange(target.value as Value)}
        >
          {options.map(([one, title]) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
