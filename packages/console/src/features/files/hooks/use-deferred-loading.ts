import { useEffect, useState } from 'react';

const DELAY_MS = 150;

/** Whether loading takes so long that it should show: an answer that comes at once must not flicker. */
export function useDeferredLoading(isLoading: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setSlow(true), DELAY_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isLoading]);
  return isLoading && isSlow;
}
