import { CopyButton } from './copy-button.js';

/** A value that is shown once, to be copied. */
export function Secret({ value, label }: { value: string; label: string }) {
  return (
    <p className="secret">
      <code>{value}</code>
      <CopyButton text={value} label={label} />
    </p>
  );
}
