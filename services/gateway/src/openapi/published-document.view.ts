// The document that this version of Kiln publishes. The generator of the SDK reads it without a running gateway.
import { routeTable } from '../routes/table.routes.js';
import { API_VERSION } from './api-version.domain.js';
import { openApiDocument } from './document.view.js';
import type { JsonSchema } from './schemas.view.js';

export const publishedDocument = (publicUrl?: string): JsonSchema =>
  openApiDocument(routeTable, { version: API_VERSION, publicUrl });
