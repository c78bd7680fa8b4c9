// The document that this version of Kiln publishes. The generator of the SDK reads it without a running gateway.
import { routeTable } from '../routes/table.routes.js';
import { openApiDocument } from './document.view.js';
import type { JsonSchema } from './schemas.view.js';

const API_VERSION = '0.2.0';

export const publishedDocument = (publicUrl?: string): JsonSchema =>
  openApiDocument(routeTable, { version: API_VERSION, publicUrl });
