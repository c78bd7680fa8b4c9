// The embedded object store behind a proxy with the regions of Amazon S3, as its documentation describes them:
// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html. The embedded store accepts every region.
import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RegionalStore {
  url: string;
  /** When true, a request that reads an object is refused as if the credentials had no kms:Decrypt. */
  refusesToDecrypt: boolean;
  close(): void;
}

export interface RegionalStoreOptions {
  endpoint: string;
  region: string;
  /** `redirect`: a request of another region gets 301, as at AWS. `refuse`: 400, as at MinIO. */
  otherRegions: 'redirect' | 'refuse';
}

export async function startRegionalStore(options: RegionalStoreOptions): Promise<RegionalStore> {
  const server = createServer((request, response) => {
    if (regionOf(request) !== options.region) wrongRegion(options, request, response);
    else if (store.refusesToDecrypt && !isListing(request)) cannotDecrypt(response);
    else pass(options, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const store: RegionalStore = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusesToDecrypt: false,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return store;
}

/** The region in the scope of the signature, which is in a header or in the query. */
function regionOf({ url = '/', headers }: IncomingMessage): string | undefined {
  const credential = new URL(url, 'http://store').searchParams.get('X-Amz-Credential');
  return (credential ?? headers.authorization ?? '').split('/')[2];
}

const isListing = ({ url = '/', method }: IncomingMessage) =>
  method === 'HEAD' || new URL(url, 'http://store').searchParams.has('list-type');

function wrongRegion(
  { region, otherRegions }: RegionalStoreOptions,
  { method }: IncomingMessage,
  response: ServerResponse,
): void {
  const isRedirect = otherRegions === 'redirect';
  const headers = { 'content-type': 'application/xml', ...(isRedirect && { 'x-amz-bucket-region': region }) };
  response.writeHead(isRedirect ? 301 : 400, headers);
  if (method === 'HEAD') response.end();
  else if (isRedirect) response.end(errorOf('PermanentRedirect', 'Use the specified endpoint.'));
  else {
    const message = `The authorization header is malformed; expecting '${region}'`;
    response.end(errorOf('AuthorizationHeaderMalformed', message, `<Region>${region}</Region>`));
  }
}

function cannotDecrypt(response: ServerResponse): void {
  const message = 'User: arn:aws:sts::1:assumed-role/r/kiln is not authorized to perform: kms:Decrypt on the resource';
  response.writeHead(403, { 'content-type': 'application/xml' }).end(errorOf('AccessDenied', message));
}

const errorOf = (code: string, message: string, more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`;

/** The signature covers the header Host, which stays as it is. Amazon S3 reports the region of the bucket. */
function pass(
  { endpoint, region, otherRegions }: RegionalStoreOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { hostname, port } = new URL(endpoint);
  const { url, method, headers } = request;
  const passed = forward({ hostname, port, path: url, method, headers }, (answer) => {
    const reported = otherRegions === 'redirect' && { 'x-amz-bucket-region': region };
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...reported });
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}
