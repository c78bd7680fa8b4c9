import { useSyncExternalStore } from 'react';
import type { Store } from './store.js';

export const useStore = <Value>({ subscribe, get }: Store<Value>): Value => useSyncExternalStore(subscribe, get);
