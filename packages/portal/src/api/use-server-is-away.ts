import { serverIsAway } from '@kiln/console/api/connectivity.js';
import { useEffect, useState } from 'preact/hooks';

export function useServerIsAway(): boolean {
  const [isAway, setAway] = useState(serverIsAway.get());
  useEffect(() => serverIsAway.subscribe(() => setAway(serverIsAway.get())), []);
  return isAway;
}
