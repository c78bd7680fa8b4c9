// A digest of a request. Two requests with the same digest are equal in meaning, whatever their bytes.
import { createHash } from 'node:crypto';

/** Computes SHA-256 over the value as JSON with sorted names; `undefined` members count as absent. */
export function fingerprintOf(value: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(value, sortedNames) ?? '')
    .digest();
}

function sortedNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
