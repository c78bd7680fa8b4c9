// The context of an operation, and its ways to respond.
import type { OutgoingHttpHeaders } from 'node:http';
import type { Authenticated } from './auth/authenticated.js';
import type { Buckets } from './disk/buckets.js';
import type { ObjectDescription } from './disk/object-file.js';
import type { MultipartUploads } from './disk/multipart-uploads.js';
import type { Metrics } from './metrics.js';
import type { ArrivalName, Notifications } from './notifications.js';
import type { S3Request } from './request.js';
import { xmlDocument, type XmlElement } from './xml.js';

export interface StoreLimits {
  /** The largest body of one PUT. */
  putBytesMax: number;
  /** The largest object of a multipart upload. */
  objectBytesMax: number;
  /** The smallest part, except the last one. */
  partBytesMin: number;
  xmlBytesMax: number;
}

export interface StoreServices {
  buckets: Buckets;
  uploads: MultipartUploads;
  notifications: Notifications;
  metrics: Metrics;
  limits: StoreLimits;
  /** Milliseconds since 1970. Tests replace this clock. */
  now: () => number;
}

export interface OperationContext {
  request: S3Request;
  auth: Authenticated;
  services: StoreServices;
}

export type Operation = (context: OperationContext) => Promise<void>;

export function answerXml(
  request: S3Request,
  root: string,
  content: XmlElement,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = Buffer.from(xmlDocument(root, content));
  request.response.writeHead(200, { ...headers, 'Content-Type': 'application/xml', 'Content-Length': body.length });
  request.response.end(body);
}

export function answerEmpty(request: S3Request, status: 200 | 204, headers: OutgoingHttpHeaders = {}): void {
  request.response.writeHead(status, status === 204 ? headers : { ...headers, 'Content-Length': 0 });
  request.response.end();
}

export const quotedEtag = ({ etag }: { etag: string }): string => `"${etag}"`;

/** Called when an object was stored: counts it, and notifies the webhook. */
export function announce(
  { request, auth, services }: OperationContext,
  eventName: ArrivalName,
  object: ObjectDescription,
): void {
  services.notifications.arrived({
    eventName,
    by: auth.by,
    bucket: request.bucket,
    key: object.key,
    sizeBytes: object.sizeBytes,
    etag: object.etag,
    timeMs: object.lastModifiedMs,
  });
}
