// The path of a request as logs and messages show it: without the query, and with `:token` in place of a secret.
import type { Route } from '../routes/kinds.route.js';

/** A key or token that a caller has put where no row expects one. */
const CREDENTIAL = /kiln_(?:live|test|pt)_[0-9A-Za-z]{43}/g;

export type RedactedPath = (url: string | undefined) => string;

/** Replaces a secret parameter by its name, also in paths that continue in a way that no row has. */
export function redactedPath(routes: readonly Route[]): RedactedPath {
  const secrets = routes.flatMap((route) => (route.secretParams ?? []).map((name) => placeOf(route.path, name)));
  return (url = '/') => {
    let path = pathOf(url);
    for (const { pattern, name } of secrets) path = path.replace(pattern, `$<before>:${name}`);
    return path.replace(CREDENTIAL, ':secret');
  };
}

/** The text before the parameter must match the row. */
function placeOf(path: string, name: string): { pattern: RegExp; name: string } {
  const [before = ''] = path.split(`:${name}`, 1);
  const source = before.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/]+');
  return { pattern: new RegExp(`^(?<before>${source})[^/]+`), name };
}

/** A request may also name its target with scheme and host. */
function pathOf(url: string): string {
  const target = url.startsWith('/') || !URL.canParse(url) ? url : url.slice(new URL(url).origin.length);
  return target.split(/[?#]/, 1)[0] ?? target;
}
