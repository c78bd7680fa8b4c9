// Serves the built portal at /portal. The page of an organization may be shown in frames of the sites that the organization lists.
import type { RequestHandler } from 'express';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameAncestors } from './frame-ancestors.service.js';
import { contentSecurityPolicy, isRead, siteFiles } from '../sites/site-files.http.js';

export const PORTAL_PATH = '/portal';

const NOT_BUILT = 'The portal is not built. Run `npm run build`, or `npm start`.\n';
/** `/`, or one segment: the id of an organization. */
const PAGE_PATH = /^\/([^/]*)$/;
/** index.html has it. The page exchanges messages with these origins only. */
const NO_FRAME_ANCESTORS = '<meta name="kiln-frame-ancestors" content="" />';

export function servePortal(folder: string, frameAncestors: Pick<FrameAncestors, 'of'>): RequestHandler[] {
  const showPage: RequestHandler = async (request, response, next) => {
    const [, organizationId] = PAGE_PATH.exec(request.path) ?? [];
    if (!isRead(request) || organizationId === undefined) return next();
    const page = await readPage(folder);
    if (page === null) return void response.status(404).type('text/plain').send(NOT_BUILT);
    const origins = await frameAncestors.of(organizationId);
    if (origins.length > 0) {
      response.setHeader('Content-Security-Policy', contentSecurityPolicy(origins));
      // It can name no origin, and browsers that know `frame-ancestors` ignore it (https://www.w3.org/TR/CSP3/#frame-ancestors-and-frame-options).
      response.removeHeader('X-Frame-Options');
    }
    const meta = NO_FRAME_ANCESTORS.replace('""', `"${origins.join(' ')}"`);
    // No cache keeps it, so that a change of the list holds when the page is loaded next.
    response.setHeader('Cache-Control', 'no-store').type('html').send(page.replace(NO_FRAME_ANCESTORS, meta));
  };
  return [...siteFiles(folder), showPage];
}

/** Null while it is not built. */
async function readPage(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, 'index.html'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
