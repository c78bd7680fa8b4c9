// The routes of signed URLs of the gateway.
import { z } from 'zod';
import { getVariantContent } from '../variants/content.handler.js';
import { exampleVariant } from './shared.examples.js';
import { publicRoute } from './kinds.route.js';

export const contentRoutes = [
  publicRoute({
    name: 'getVariantContent',
    method: 'GET',
    path: '/v1/content/:token',
    tag: 'Variants',
    summary: 'Download a variant by its signed URL.',
    description:
      'The `content_url` of a small variant points here. The token in the path is the credential. Returns 403 ' +
      'if the token is invalid or expired, and 404 if the file was deleted or the variant was replaced. The ' +
      'response has the media type of the variant.',
    params: z.object({ token: z.string() }),
    secretParams: ['token'],
    handler: getVariantContent,
    response: z.string(),
    mediaType: '*/*',
    errors: ['FORBIDDEN', 'RATE_LIMITED', 'UNAVAILABLE'],
    example: { response: exampleVariant.content },
  }),
];
