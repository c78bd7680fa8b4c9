// An object store that records a span for each request made within another span. Keys may reveal filenames, so spans do not include them.
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ObjectStore } from './object-store.port.js';
import { StorageError } from './storage.errors.js';

export function tracedObjectStore(store: ObjectStore): ObjectStore {
  return {
    put: (key, body, options) => inSpan('put', () => store.put(key, body, options)),
    putMemoryBytes: (sizeBytesMax) => store.putMemoryBytes(sizeBytesMax),
    get: (key, options) => inSpan('get', () => store.get(key, options)),
    head: (key) => inSpan('head', () => store.head(key)),
    delete: (key) => inSpan('delete', () => store.delete(key)),
    deleteMany: (keys) => inSpan('delete many', () => store.deleteMany(keys)),
    deletePrefix: (prefix) => inSpan('delete prefix', () => store.deletePrefix(prefix)),
    list: (prefix, options) => inSpan('list', () => store.list(prefix, options)),
    abortStaleUploads: (options) => store.abortStaleUploads(options),
    beginParts: (key) => inSpan('begin parts', () => store.beginParts(key)),
    signPart: (key, options) => store.signPart(key, options),
    listParts: (key, uploadId, options) => inSpan('list parts', () => store.listParts(key, uploadId, options)),
    completeParts: (key, uploadId, parts) => inSpan('complete parts', () => store.completeParts(key, uploadId, parts)),
    abortParts: (key, uploadId) => inSpan('abort parts', () => store.abortParts(key, uploadId)),
    signPut: (key, options) => store.signPut(key, options),
    signGet: (key, options) => store.signGet(key, options),
    keysExpireAt: () => store.keysExpireAt(),
    ensureBucket: () => store.ensureBucket(),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}

async function inSpan<Result>(operation: string, request: () => Promise<Result>): Promise<Result> {
  if (trace.getActiveSpan()?.isRecording() !== true) return request();
  const span = trace.getTracer('kiln').startSpan(`object store ${operation}`, { kind: SpanKind.CLIENT });
  try {
    return await request();
  } catch (error) {
    span.setAttribute('error.type', error instanceof StorageError ? error.code : 'other');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
