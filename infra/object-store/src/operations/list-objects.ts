// ListObjectsV2 and the older ListObjects.
import { percentEncode, toByteString } from '../byte-string.js';
import { listPage } from '../disk/list-page.js';
import type { ObjectDescription } from '../disk/object-file.js';
import { answerXml, quotedEtag, type Operation } from '../operation.js';
import { integerQuery, type S3Request } from '../request.js';
import { S3Error } from '../s3-errors.js';
import type { XmlElement } from '../xml.js';

const PAGE_MAX = 1000;

export const listObjectsV2: Operation = async ({ request, services }) => {
  const bucket = await services.buckets.get(request.bucket);
  const encode = keyEncoder(request);
  const token = request.query('continuation-token');
  const startAfter = request.query('start-after');
  const itemsMax = integerQuery(request, 'max-keys', { default: PAGE_MAX, min: 0, max: PAGE_MAX });
  const { prefix, delimiter } = filtersOf(request);
  const after = token === undefined ? (startAfter ?? '') : decodeToken(token);
  const page = await listPage(services.buckets.index, bucket, { prefix, delimiter, after, itemsMax });
  answerXml(request, 'ListBucketResult', {
    ...commonElements(request, itemsMax, page.next !== undefined),
    KeyCount: page.objects.length + page.prefixes.length,
    ContinuationToken: token,
    StartAfter: startAfter === undefined ? undefined : encode(startAfter),
    NextContinuationToken: page.next === undefined ? undefined : encodeToken(page.next),
    Contents: page.objects.map((object) => contentsOf(object, encode)),
    CommonPrefixes: page.prefixes.map((group) => ({ Prefix: encode(group) })),
  });
};

export const listObjectsV1: Operation = async ({ request, services }) => {
  const bucket = await services.buckets.get(request.bucket);
  const encode = keyEncoder(request);
  const after = request.query('marker') ?? '';
  const itemsMax = integerQuery(request, 'max-keys', { default: PAGE_MAX, min: 0, max: PAGE_MAX });
  const { prefix, delimiter } = filtersOf(request);
  const page = await listPage(services.buckets.index, bucket, { prefix, delimiter, after, itemsMax });
  answerXml(request, 'ListBucketResult', {
    ...commonElements(request, itemsMax, page.next !== undefined),
    Marker: encode(after),
    NextMarker: page.next === undefined ? undefined : encode(page.next),
    Contents: page.objects.map((object) => ({ ...contentsOf(object, encode), Owner: OWNER })),
    CommonPrefixes: page.prefixes.map((group) => ({ Prefix: encode(group) })),
  });
};

/** The store has one account. */
export const OWNER = { ID: 'kiln', DisplayName: 'kiln' };

function commonElements(request: S3Request, itemsMax: number, truncated: boolean): XmlElement {
  const encode = keyEncoder(request);
  const { prefix, delimiter } = filtersOf(request);
  return {
    Name: request.bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxKeys: itemsMax,
    EncodingType: request.query('encoding-type'),
    IsTruncated: truncated,
  };
}

const contentsOf = (object: ObjectDescription, encode: (key: string) => string): XmlElement => ({
  Key: encode(object.key),
  LastModified: new Date(object.lastModifiedMs).toISOString(),
  ETag: quotedEtag(object),
  Size: object.sizeBytes,
  StorageClass: 'STANDARD',
});

const filtersOf = (request: S3Request): { prefix: string; delimiter: string } => ({
  prefix: request.query('prefix') ?? '',
  delimiter: request.query('delimiter') ?? '',
});

/** Encodes keys as `encoding-type` requests. */
export function keyEncoder(request: S3Request): (key: string) => string {
  const type = request.query('encoding-type');
  if (type === undefined || type === '') return (key) => key;
  if (type !== 'url') throw new S3Error('InvalidArgument', 'encoding-type must be url.');
  return (key) => percentEncode(toByteString(key), '/');
}

const encodeToken = (after: string): string => Buffer.from(after, 'utf8').toString('base64url');

function decodeToken(token: string): string {
  const after = Buffer.from(token, 'base64url').toString('utf8');
  if (encodeToken(after) !== token) throw new S3Error('InvalidArgument', 'The continuation token is not valid.');
  return after;
}
