import { useId } from 'react';

interface TextFieldProps {
  title: string;
  /** Shown while the field is empty. */
  example?: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}

export function TextField({ title, example, hint, value, onChange }: TextFieldProps) {
  const [id, hintId] = [useId(), useId()];
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      <input
        id={id}
        value={value}
        placeholder={example}
        autoComplete="off"
        spellCheck={false}
        {...(hint && { 'aria-describedby': hintId })}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint && (
        <span id={hintId} className="muted">
          {hint}
        </span>
      )}
    </div>
  );
}
