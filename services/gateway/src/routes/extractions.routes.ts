// The routes for organizations' own extractors.
import { extractionResultSchema, type ExtractionRequest, type ExtractionResult } from '@kiln/contracts';
import { z } from 'zod';
import { receiveExtractionResult } from '../extractions/receive-result.handler.js';
import { publicRoute } from './kinds.route.js';

export const exampleExtractionResult: ExtractionResult = { pages: [{ markdown: '# Kilns' }], title: 'Kilns' };
export const exampleExtraction: ExtractionRequest = {
  id: 'ext_01kxr1w4v0fpdsg1r90k5c8t2a',
  file: {
    url: 'https://objects.example.com/report.pdf?signature=…',
    url_expires_at: '2026-11-21T09:40:00.000Z',
    filename: 'report.pdf',
    content_type: 'application/pdf',
    size_bytes: 482_133,
  },
  callback_url: 'https://kiln.example.com/v1/extractions/…',
  callback_deadline: '2026-11-21T09:40:00.000Z',
  options: { provider: 'document_extractor', output_bytes_max: 67_108_864 },
};

export const extractionsRoutes = [
  publicRoute({
    name: 'receiveExtractionResult',
    method: 'POST',
    path: '/v1/extractions/:token',
    tag: 'Extractions',
    summary: 'Send the result of your own extractor.',
    description:
      'The `callback_url` of an extraction request points here. Sign the body with the secret of your extractor, as ' +
      'in Standard Webhooks, under the id of the request. The request may be repeated: `accepted` is false if there was a ' +
      'different result before. Returns 401 if the signature is wrong, 403 if the URL is, and 404 if no job waits ' +
      'for the result.',
    params: z.object({ token: z.string() }),
    secretParams: ['token'],
    streamedBody: extractionResultSchema,
    handler: receiveExtractionResult,
    response: z.object({ accepted: z.boolean() }),
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'UNAVAILABLE'],
    example: { request: exampleExtractionResult, response: { accepted: true } },
  }),
];
