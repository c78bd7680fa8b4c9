import { useEffect, useState } from 'preact/hooks';

const TYPING_MS = 250;

/** The text without blanks around it, when nothing was typed for a moment. */
export function usePaused(typed: string): string {
  const [text, setText] = useState(typed.trim());
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return text;
}
