import { useState } from 'react';
import { Icon } from './icon.js';

const SHOWN_MS = 1_500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" className="icon-button" aria-label={isCopied ? 'Copied' : label} onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  );
}
