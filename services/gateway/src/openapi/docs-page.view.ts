// The documentation page: Swagger UI, served from disk. Nothing is loaded from other hosts, and only scripts named here run.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Reply } from '../routes/reply.domain.js';

const assetsDirectory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

export const docsAssetNames = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'start.js'] as const;
type AssetName = (typeof docsAssetNames)[number];

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // Swagger UI sets style attributes
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Kiln API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

// A key works also without its scheme.
const START_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: true,
  requestInterceptor(request) {
    const value = request.headers.Authorization;
    if (value && value.startsWith('kiln_')) request.headers.Authorization = 'ApiKey ' + value;
    return request;
  },
});
`;

export const docsPage = (): Reply =>
  new Reply({
    text: PAGE,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': CONTENT_SECURITY_POLICY },
  });

export function docsAsset(name: AssetName): Reply {
  if (name !== 'start.js') {
    return new Reply({ file: join(assetsDirectory, name), headers: { 'Cache-Control': 'public, max-age=3600' } });
  }
  return new Reply({ text: START_SCRIPT, headers: { 'Content-Type': 'text/javascript; charset=utf-8' } });
}
