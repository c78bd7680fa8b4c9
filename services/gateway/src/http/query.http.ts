// Reads query parameters into an object that a schema can check. Each may be given once; `metadata.<key>=<value>` is collected.
import { badRequest } from '@kiln/contracts';

const METADATA = 'metadata.';

/** `url` is the request's path with its query. Throws BAD_REQUEST for a parameter that is given twice. */
export function readQuery(url: string): Record<string, unknown> {
  const start = url.indexOf('?');
  const values = new Map<string, string>();
  const metadata = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    const target = name.startsWith(METADATA) ? metadata : values;
    const key = name.startsWith(METADATA) ? name.slice(METADATA.length) : name;
    if (target.has(key)) throw badRequest(`${name} must be given once`);
    // A schema would drop this key silently, and a filter must never be dropped.
    if (key === '__proto__') throw badRequest(`${name} is not a possible name`);
    target.set(key, value);
  }
  if (metadata.size === 0) return Object.fromEntries(values);
  return { ...Object.fromEntries(values), metadata: Object.fromEntries(metadata) };
}
