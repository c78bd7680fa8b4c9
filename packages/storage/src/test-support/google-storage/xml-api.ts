// Multipart uploads of the XML API: https://cloud.google.com/storage/docs/xml-api/post-object-multipart. Written from the documentation, as the
// rest of this server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ApiError } from './api-error.js';
import type { MultipartUpload } from './multipart-uploads.js';
import type { Services } from './services.js';

const PAGE_MAX = 1_000;

/** True for a path of the XML API: the bucket, or the bucket and a key. */
export const isXmlApi = (url: URL): boolean => url.searchParams.has('uploads') || url.searchParams.has('uploadId');

export async function serveXmlApi(
  { objects, multipart }: Services,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
  const [key, query] = [rest.join('/'), url.searchParams];
  objects.bucket(bucket);
  const id = query.get('uploadId') ?? '';
  const what = `${request.method} ${query.has('uploads') ? 'uploads' : 'uploadId'}`;
  switch (what) {
    case 'GET uploads':
      return answerXml(response, 'ListMultipartUploadsResult', uploadsPage(multipart.list(bucket), query));
    case 'POST uploads': {
      const uploadId = multipart.begin(bucket, key, request.headers['content-type'] ?? 'application/octet-stream');
      return answerXml(response, 'InitiateMultipartUploadResult', `<UploadId>${uploadId}</UploadId>`);
    }
    case 'GET uploadId':
      return answerXml(response, 'ListPartsResult', partsPage(multipart.get(id, bucket, key), query));
    case 'POST uploadId': {
      const { etag } = await multipart.complete(id, bucket, key, chosenParts(await text(request)));
      return answerXml(response, 'CompleteMultipartUploadResult', `<ETag>"${etag}"</ETag>`);
    }
    case 'DELETE uploadId':
      multipart.abort(id, bucket, key);
      return void response.writeHead(204).end();
    default:
      throw new ApiError(405, `no such method: ${what}`);
  }
}

function answerXml(response: ServerResponse, root: string, content: string): void {
  const document = `<?xml version='1.0' encoding='UTF-8'?><${root} xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>${content}</${root}>`;
  response.writeHead(200, { 'content-type': 'application/xml; charset=UTF-8' }).end(document);
}

function partsPage({ parts }: MultipartUpload, query: URLSearchParams): string {
  const after = Number(query.get('part-number-marker') ?? 0);
  const later = [...parts].filter(([number]) => number > after).sort(([a], [b]) => a - b);
  const page = later.slice(0, Math.min(Number(query.get('max-parts') ?? PAGE_MAX), PAGE_MAX));
  const entries = page.map(
    ([number, { size, etag }]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag><Size>${size}</Size></Part>`,
  );
  return `<IsTruncated>${later.length > page.length}</IsTruncated>${entries.join('')}`;
}

/** Two to a page, so that callers have to request the next one. Uploads are in the order of their ids. */
function uploadsPage(uploads: readonly MultipartUpload[], query: URLSearchParams): string {
  const later = uploads.filter(({ id }) => id > (query.get('upload-id-marker') ?? ''));
  const page = later.slice(0, 2);
  const entries = page.map(
    ({ key, id, initiated }) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
  );
  const [last, isTruncated] = [page.at(-1), later.length > page.length];
  const next = isTruncated
    ? `<NextKeyMarker>${last?.key}</NextKeyMarker><NextUploadIdMarker>${last?.id}</NextUploadIdMarker>`
    : '';
  return `<IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}`;
}

const chosenParts = (xml: string): { number: number; etag: string }[] =>
  [...xml.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"<\/ETag><\/Part>/g)].map(
    ([, number = '', etag = '']) => ({ number: Number(number), etag }),
  );
