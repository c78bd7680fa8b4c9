import { useEffect, useEffectEvent, useState } from 'react';

const TYPING_MS = 250;

/**
 * The text of an input whose value is in the address. `onPause` is called when the user pauses with another text. The text follows the address when that
 * changes, for example by the back button.
 */
export function useTyped(
  value: string,
  onPause: (text: string) => void,
): [typed: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  /** What was reported last. The address has it later, when the user may have typed more, if only a blank. */
  const [reported, setReported] = useState<string | null>(null);
  if (value !== known) {
    setKnown(value);
    setReported(null);
    if (value !== reported) setTyped(value);
  }
  const pause = useEffectEvent(() => {
    const text = typed.trim();
    if (text === value) return;
    setReported(text);
    onPause(text);
  });
  useEffect(() => {
    const timer = setTimeout(() => pause(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}
