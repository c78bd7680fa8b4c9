import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

/** Returns a function that calls `work` once after `delayMs`, however often it is called until then. */
export function useThrottled(work: () => void, delayMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onTime = useEffectEvent(work);
  const run = useRef(() => undefined as void);
  useEffect(() => {
    run.current = () => onTime();
    return () => clearTimeout(timer.current);
  }, []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      run.current();
    }, delayMs);
  }, [delayMs]);
}
