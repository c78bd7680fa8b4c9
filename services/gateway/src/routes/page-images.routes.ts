import { idSchema, pageImageQuerySchema, pageNumberSchema } from '@kiln/contracts';
import { z } from 'zod';
import { getPageImage } from '../page-images/page-image.handler.js';
import { handlerRoute, portalRoute } from './kinds.route.js';

/** Drawing a page takes about as much as so many ordinary requests. */
const UNITS = 8;

const image = {
  method: 'GET',
  description:
    'Draws a page of a PDF, a picture of a TIFF, or an image, as it is shown: regions of citations are shares of its width and height. ' +
    'The first request for an image draws it; later ones read it from storage. An image smaller than `width` keeps its size. Returns 404 ' +
    'if the file has fewer pages, and 409 for other types of files, and while the bytes have not arrived.',
  params: z.object({ id: idSchema('file'), page: pageNumberSchema }),
  query: pageImageQuerySchema,
  units: () => UNITS,
  response: z.string().meta({ format: 'binary' }),
  mediaType: 'image/png',
  isConditional: true,
  errors: ['CONFLICT', 'BUCKET_UNAVAILABLE'],
  timeoutMs: 50_000,
  example: {},
} as const;

export const pageImagesRoutes = [
  handlerRoute({
    ...image,
    name: 'getPageImage',
    path: '/v1/files/:id/pages/:page.png',
    tag: 'Files',
    summary: 'Get an image of a page.',
    scope: 'files:read',
    handler: getPageImage,
  }),
  portalRoute({
    ...image,
    name: 'getPortalPageImage',
    path: '/v1/portal/files/:id/pages/:page.png',
    tag: 'Portal',
    summary: 'Get a page image of a portal file.',
    handler: getPageImage,
  }),
];
