import type { Passage } from '@kiln/console/ui/passage.js';
import { useCallback, useRef, useState } from 'preact/hooks';

/** The passage that is shown. Closing it returns the focus to the button that has opened it. */
export function usePassage() {
  const [passage, setPassage] = useState<Passage | null>(null);
  const opener = useRef<Element | null>(null);
  const open = useCallback((next: Passage) => {
    opener.current = document.activeElement;
    setPassage(next);
  }, []);
  const close = useCallback(() => {
    setPassage(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  return { passage, open, close };
}
