// Converts resources of the JSON API to the types of the port.
import { ListingNotProvenError } from '../listing-not-proven.error.js';
import type { ObjectHead, ObjectPage } from '../object-store.port.js';

/** https://cloud.google.com/storage/docs/json_api/v1/objects#resource; 64-bit numbers come as strings. */
export interface ObjectResource {
  name: string;
  size?: string;
  generation?: string;
  contentType?: string;
  updated?: string;
  storageClass?: string;
}

export interface ObjectsPage {
  kind: 'storage#objects';
  items?: ObjectResource[];
  prefixes?: string[];
  nextPageToken?: string;
}

export const OBJECT_FIELDS = 'name,size,generation,contentType,updated,storageClass';

/** The tag is the generation: unlike the ETag, it is the same in all kinds of responses. */
export const tagOf = ({ generation = '' }: Pick<ObjectResource, 'generation'>): string => generation;

export const headOf = (resource: ObjectResource): ObjectHead => ({
  sizeBytes: Number(resource.size ?? 0),
  etag: tagOf(resource),
  contentType: resource.contentType ?? 'application/octet-stream',
  lastModified: wholeSeconds(resource.updated),
});

export const headOfDownload = (headers: Record<string, string>): ObjectHead => ({
  sizeBytes: Number(headers['content-length'] ?? 0),
  etag: headers['x-goog-generation'] ?? '',
  contentType: headers['content-type'] ?? 'application/octet-stream',
  lastModified: wholeSeconds(headers['last-modified']),
});

/** Throws ListingNotProvenError unless the response is the documented resource. It always has a `kind`, but omits empty lists. */
export function pageOf(answer: unknown): ObjectPage {
  if (!isObjectsPage(answer)) throw new ListingNotProvenError('the response is not a list of objects of the JSON API');
  return objectPageOf(answer);
}

function isObjectsPage(answer: unknown): answer is ObjectsPage {
  if (typeof answer !== 'object' || answer === null) return false;
  const { kind, items = [], prefixes = [], nextPageToken = 'none' }: Record<string, unknown> = { ...answer };
  return (
    kind === 'storage#objects' &&
    Array.isArray(items) &&
    items.every((item: { name?: unknown } | null) => typeof item?.name === 'string') &&
    Array.isArray(prefixes) &&
    prefixes.every((prefix) => typeof prefix === 'string') &&
    typeof nextPageToken === 'string' &&
    nextPageToken !== ''
  );
}

const objectPageOf = (page: ObjectsPage): ObjectPage => ({
  objects: (page.items ?? []).map((resource) => ({
    key: resource.name,
    sizeBytes: Number(resource.size ?? 0),
    etag: tagOf(resource),
    lastModified: wholeSeconds(resource.updated),
    ...(resource.storageClass && { storageClass: resource.storageClass }),
  })),
  prefixes: page.prefixes ?? [],
  nextCursor: page.nextPageToken ?? null,
});

/** The header of a download has no fractions of a second, so all times are cut to seconds. */
const wholeSeconds = (time: string | undefined): Date =>
  new Date(Math.floor((time === undefined ? 0 : Date.parse(time)) / 1_000) * 1_000);
