import { useEffect, useEffectEvent, useState, type ComponentProps } from 'react';

interface FilterInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

const TYPING_MS = 250;

/** Filters when the user pauses. */
export function FilterInput({ label, value, onChange, ...rest }: FilterInputProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    // The address has changed, for example by the back button.
    setKnown(value);
    setTyped(value);
  }
  const onPause = useEffectEvent(() => {
    if (typed.trim() !== value) onChange(typed.trim());
  });
  useEffect(() => {
    const timer = setTimeout(() => onPause(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
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
