// The path of a request as logs and messages may show it: without the query, and with `:token` where a secret stands.
import type { Route } from '../routes/route.js';

export type ShownPath = (url: string | undefined) => string;

/** Hides what stands in the place of a secret parameter, also in paths that go on differently than any row. */
export function shownPath(routes: readonly Route[]): ShownPath {
  const secrets = routes.flatMap((route) => (route.secretParams ?? []).map((name) => placeOf(route.path, name)));
  return (url = '/') => {
    let path = pathOf(url);
    for (const { pattern, name } of secrets) path = path.replace(pattern, `$<before>:${name}`);
    return path;
  };
}

/** Everything before the parameter has to be there as the row has it. */
function placeOf(path: string, name: string): { pattern: RegExp; name: string } {
  const [before = ''] = path.split(`:${name}`, 1);
  const source = before.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/]+');
  return { pattern: new RegExp(`^(?<before>${source})[^/]+`), name };
}

/** A request may name its target with scheme and host, too. */
function pathOf(url: string): string {
  const target = url.startsWith('/') || !URL.canParse(url) ? url : url.slice(new URL(url).origin.length);
  return target.split(/[?#]/, 1)[0] ?? target;
}
