// From the JSON API's resources to the port's shapes.
import type { ObjectHead, ObjectPage } from '../object-store.port.js';

/** https://cloud.google.com/storage/docs/json_api/v1/objects#resource; 64-bit numbers come as strings. */
export interface ObjectResource {
  name: string;
  size?: string;
  generation?: string;
  contentType?: string;
  updated?: string;
}

export interface ObjectsPage {
  items?: ObjectResource[];
  prefixes?: string[];
  nextPageToken?: string;
}

export const OBJECT_FIELDS = 'name,size,generation,contentType,updated';

/** The generation is the tag: unlike the ETag it is the same in every kind of answer. */
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

export const pageOf = (page: ObjectsPage): ObjectPage => ({
  objects: (page.items ?? []).map((resource) => ({
    key: resource.name,
    sizeBytes: Number(resource.size ?? 0),
    etag: tagOf(resource),
    lastModified: wholeSeconds(resource.updated),
  })),
  prefixes: page.prefixes ?? [],
  nextCursor: page.nextPageToken ?? null,
});

/** A download's header knows no fractions, so that nothing else may either. */
const wholeSeconds = (time: string | undefined): Date =>
  new Date(Math.floor((time === undefined ? 0 : Date.parse(time)) / 1_000) * 1_000);
