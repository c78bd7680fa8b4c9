import { useState } from 'react';
import { IconButton } from './button.js';
import { copyText } from './copy-text.js';

const SHOWN_MS = 1_500;

const labels = { copied: 'Copied', refused: 'The browser does not permit to copy' };

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<keyof typeof labels | null>(null);
  const copy = async (button: HTMLElement) => {
    setOutcome((await copyText(text, button)) ? 'copied' : 'refused');
    setTimeout(() => setOutcome(null), SHOWN_MS);
  };
  const icon = outcome === null ? 'copy' : outcome === 'copied' ? 'check' : 'alert';
  return (
    <IconButton
      icon={icon}
      label={outcome === null ? label : labels[outcome]}
      onClick={({ currentTarget }) => void copy(currentTarget)}
    />
  );
}
