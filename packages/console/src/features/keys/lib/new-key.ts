// The form of a new key, and the request that it becomes.
import type { Schemas } from '@kiln/sdk';
import type { Mode, Scope } from '../../../api/me.js';
import { parseTime } from '../../../ui/formats.js';

export interface NewKey {
  name: string;
  mode: Mode;
  /** `*` includes all scopes. */
  scopes: ReadonlySet<Scope>;
  /** The title of a lifetime. */
  lifetime: string;
}

export interface Lifetime {
  title: string;
  /** Null: the key does not expire. */
  expiresAt: Date | null;
}

const DAY_MS = 86_400_000;
const DAYS: readonly [days: number, title: string][] = [
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
];

/** A key cannot outlive the key that creates it. `ownExpiresAt` is null if that does not expire. */
export function lifetimesFor(ownExpiresAt: string | null, now: Date): Lifetime[] {
  const ownEnd = ownExpiresAt === null ? null : parseTime(ownExpiresAt);
  const all = DAYS.map(([days, title]) => ({ title, expiresAt: new Date(now.getTime() + days * DAY_MS) }));
  if (!ownEnd) return [...all, { title: 'Never', expiresAt: null }];
  const possible = all.filter(({ expiresAt }) => expiresAt < ownEnd);
  return [...possible, { title: 'With the key of this session', expiresAt: ownEnd }];
}

/** Null while something is missing. */
export function requestOf(
  { name, mode, scopes, lifetime }: NewKey,
  lifetimes: readonly Lifetime[],
): Schemas['CreateApiKeyRequest'] | null {
  const chosen = lifetimes.find(({ title }) => title === lifetime) ?? lifetimes[0];
  if (!chosen || name.trim() === '' || scopes.size === 0) return null;
  const expiry = chosen.expiresAt && { expires_at: chosen.expiresAt.toISOString() };
  return { name: name.trim(), mode, scopes: [...scopes], ...expiry };
}
