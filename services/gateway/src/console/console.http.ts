// Serves the built console at /console. Its files are the same for everyone, so they need no credentials.
import express, { type RequestHandler } from 'express';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CONSOLE_PATH = '/console';

/** The folder that `npm run build` writes: packages/console/site. */
export const builtConsole = (): string =>
  join(dirname(fileURLToPath(import.meta.resolve('@kiln/console/package.json'))), 'site');

/** Only files of this server run. Images of pages are read with the key of the user, and shown as `blob:`. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const YEAR_SECONDS = 31_536_000;
const NOT_BUILT = 'The console is not built. Run `npm run build`, or `npm start`.\n';

/** Files in `assets` have a hash of their content in their name. Every other address shows the page, which reads its own address. */
export function serveConsole(folder: string): RequestHandler[] {
  const page = join(folder, 'index.html');
  const files = express.static(folder, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(join(folder, 'assets'));
      response.setHeader('Cache-Control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  const secure: RequestHandler = (_request, response, next) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  };
  const showPage: RequestHandler = (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.path.startsWith('/assets/')) next();
    else if (existsSync(page)) response.setHeader('Cache-Control', 'no-cache').sendFile(page, { cacheControl: false });
    else response.status(404).type('text/plain').send(NOT_BUILT);
  };
  return [secure, compressed(folder), files, showPage];
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
