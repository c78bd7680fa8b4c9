import type { ComponentProps } from 'react';
import { useTyped } from './use-typed.js';

interface FilterInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Filters when the user pauses. */
export function FilterInput({ label, value, onChange, ...rest }: FilterInputProps) {
  const [typed, setTyped] = useTyped(value, onChange);
  return (
    <input
      {...rest}
      aria-label={label}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
