// Serves the built console at /console.
import type { RequestHandler } from 'express';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRead, siteFiles } from '../sites/site-files.http.js';

export const CONSOLE_PATH = '/console';

const NOT_BUILT = 'The console is not built. Run `npm run build`, or `npm start`.\n';

/** Every address that is no file shows the page, which reads its own address. */
export function serveConsole(folder: string): RequestHandler[] {
  const page = join(folder, 'index.html');
  const showPage: RequestHandler = (request, response, next) => {
    if (!isRead(request) || request.path.startsWith('/assets/')) next();
    else if (existsSync(page)) response.setHeader('Cache-Control', 'no-cache').sendFile(page, { cacheControl: false });
    else response.status(404).type('text/plain').send(NOT_BUILT);
  };
  return [...siteFiles(folder), showPage];
}
