import { useState } from 'react';
import { IconButton } from './button.js';

const SHOWN_MS = 1_500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <IconButton icon={isCopied ? 'check' : 'copy'} label={isCopied ? 'Copied' : label} onClick={() => void copy()} />
  );
}
