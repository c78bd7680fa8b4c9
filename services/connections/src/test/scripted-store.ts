// A store on loopback that answers every request as the test says, and the form of a listing page at each provider.
import type { BucketCredentials, StorageProviderId } from '@kiln/contracts';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface ScriptedStore {
  url: string;
  answer: Answer;
  /** Paths with their queries, in the order of the requests. */
  asked: URL[];
  close(): Promise<void>;
}

export async function startScriptedStore(): Promise<ScriptedStore> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    store.asked.push(new URL(request.url ?? '/', store.url));
    store.answer(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const store: ScriptedStore = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (response) => void response.end(),
    asked: [],
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return store;
}

export interface ScriptedObject {
  key: string;
  sizeBytes?: number;
  etag?: string;
  /** ISO 8601. */
  modified?: string;
  /** At S3, the elements of the storage class and of a restore; at Azure, the access tier. */
  archive?: string;
}

export interface ScriptedPage {
  objects?: readonly ScriptedObject[];
  next?: string;
}

/** How one provider writes a page and marks the last one. */
export interface ListingShape {
  provider: StorageProviderId;
  page: (page: ScriptedPage) => string;
  credentials: (url: string) => BucketCredentials;
  /** The page token of a request. */
  tokenOf: (url: URL) => string | null;
  contentType: string;
}

const DAY = '2026-01-01T00:00:00.000Z';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\0', '&#0;');

const s3Object = ({ key, sizeBytes = 1, etag = 'e', modified = DAY, archive = '' }: ScriptedObject) =>
  `<Contents><Key>${escaped(key)}</Key><Size>${sizeBytes}</Size><ETag>${escaped(etag)}</ETag><LastModified>${modified}</LastModified>${archive}</Contents>`;

export const s3Page = ({ objects = [], next }: ScriptedPage): string =>
  '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>' +
  `<KeyCount>${objects.length}</KeyCount><IsTruncated>${next !== undefined}</IsTruncated>` +
  (next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`) +
  `${objects.map(s3Object).join('')}</ListBucketResult>`;

const googlePage = ({ objects = [], next }: ScriptedPage): string =>
  JSON.stringify({
    kind: 'storage#objects',
    items: objects.map(({ key, sizeBytes = 1, etag = '1' }) => ({
      name: key,
      size: String(sizeBytes),
      generation: etag,
      updated: DAY,
    })),
    ...(next !== undefined && { nextPageToken: next }),
  });

const azureBlob = ({ key, sizeBytes = 1, etag = 'e', archive = '' }: ScriptedObject) =>
  `<Blob><Name>${escaped(key)}</Name><Properties><Last-Modified>Thu, 01 Jan 2026 00:00:00 GMT</Last-Modified>` +
  `<Etag>${escaped(etag)}</Etag><Content-Length>${sizeBytes}</Content-Length>${archive}</Properties></Blob>`;

const azurePage = ({ objects = [], next = '' }: ScriptedPage): string =>
  '<?xml version="1.0" encoding="utf-8"?><EnumerationResults ServiceEndpoint="http://a/" ContainerName="b">' +
  `<Blobs>${objects.map(azureBlob).join('')}</Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const s3Shape: ListingShape = {
  provider: 'selfhost_s3',
  page: s3Page,
  contentType: 'application/xml',
  tokenOf: ({ searchParams }) => searchParams.get('continuation-token'),
  credentials: (endpoint) => ({ kind: 'accessKey', access_key_id: 'id', secret_access_key: 'the-secret', endpoint }),
};

export const googleShape: ListingShape = {
  provider: 'gcs',
  page: googlePage,
  contentType: 'application/json',
  tokenOf: ({ searchParams }) => searchParams.get('pageToken'),
  credentials: () => ({
    kind: 'serviceAccount',
    type: 'service_account',
    project_id: 'p',
    client_email: 'kiln@p.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }),
};

export const azureShape: ListingShape = {
  provider: 'container_blob',
  page: azurePage,
  contentType: 'application/xml',
  tokenOf: ({ searchParams }) => searchParams.get('marker'),
  credentials: () => ({
    kind: 'accountKey',
    account_name: 'account',
    account_key: Buffer.alloc(64, 1).toString('base64'),
  }),
};

export const listingShapes: readonly ListingShape[] = [s3Shape, googleShape, azureShape];

/** The input of a caller who connects the store. */
export function connectionTo({ provider, credentials }: ListingShape, url: string) {
  const { kind: _, ...given } = credentials(url);
  return { provider, name: 'Scripted', bucket: 'bucket', credentials: given as Record<string, unknown> };
}

/** Answers pages in order: the first without a token, the others by the tokens `1`, `2`, … */
export function pagesInOrder(shape: ListingShape, pages: readonly (readonly string[])[]): Answer {
  return (response, request) => {
    const at = Number(shape.tokenOf(new URL(request.url ?? '/', 'http://store')) ?? 0);
    const next = at + 1 < pages.length ? { next: String(at + 1) } : {};
    response.setHeader('content-type', shape.contentType);
    response.end(shape.page({ objects: (pages[at] ?? []).map((key) => ({ key })), ...next }));
  };
}
