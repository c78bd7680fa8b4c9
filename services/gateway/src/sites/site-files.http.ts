// The files of a built page, such as the console. They are the same for everyone, so they need no credentials.
import express, { type RequestHandler, type Request } from 'express';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const YEAR_SECONDS = 31_536_000;

/** The folder that `npm run build` writes: packages/<name>/site. */
export const builtSite = (name: 'console' | 'portal'): string =>
  join(dirname(fileURLToPath(import.meta.resolve(`@kiln/${name}/package.json`))), 'site');

/** Only files of this server run. Images of pages are read with credentials, and shown as `blob:`. A logo is a `data:` URI. */
export const contentSecurityPolicy = (frameAncestors: readonly string[]): string =>
  [
    "default-src 'self'",
    "img-src 'self' blob: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ].join('; ');

export const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Serves the files under the security policy. Files in `assets` have a hash of their content in their name. */
export function siteFiles(folder: string): RequestHandler[] {
  const policy = contentSecurityPolicy([]);
  const secure: RequestHandler = (_request, response, next) => {
    response.setHeader('Content-Security-Policy', policy);
    next();
  };
  const files = express.static(folder, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(join(folder, 'assets'));
      response.setHeader('Cache-Control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  return [secure, compressed(folder), files];
}

/** Chooses the copy of a script or style that the build has compressed, where the browser takes it. */
function compressed(folder: string): RequestHandler {
  const assets = join(folder, 'assets');
  const copies = new Set(existsSync(assets) ? readdirSync(assets).filter((name) => name.endsWith('.gz')) : []);
  return (request, response, next) => {
    const copy = `${request.path.slice('/assets/'.length)}.gz`;
    if (request.path.startsWith('/assets/') && copies.has(copy)) {
      response.vary('Accept-Encoding');
      if (request.acceptsEncodings('gzip')) {
        response.type(extname(request.path)).setHeader('Content-Encoding', 'gzip');
        request.url = `/assets/${copy}`;
      }
    }
    next();
  };
}
