import { useMay, useMode } from '../../../api/me.js';

/** Test keys may only read the settings, because live data uses them. */
export function useMayChange(): boolean {
  const mayWrite = useMay('org:write');
  return useMode() === 'live' && mayWrite;
}
