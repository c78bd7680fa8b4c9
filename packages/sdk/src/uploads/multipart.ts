// A multipart body around the bytes of a file (RFC 7578): the fields, then the file.
import type { UploadFields } from './upload-options.js';

type NamedFields = UploadFields & { filename: string };

export interface Multipart<Body> {
  contentType: string;
  body: Body;
}

export function multipartStream(
  fields: NamedFields,
  stream: ReadableStream<Uint8Array>,
): Multipart<ReadableStream<Uint8Array>> {
  const { contentType, head, tail } = frameOf(fields);
  const frame = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(head),
    flush: (controller) => controller.enqueue(tail),
  });
  return { contentType, body: stream.pipeThrough(frame) };
}

export function multipartBytes(fields: NamedFields, bytes: Uint8Array): Multipart<Uint8Array<ArrayBuffer>> {
  const { contentType, head, tail } = frameOf(fields);
  const body = new Uint8Array(head.length + bytes.length + tail.length);
  body.set(head);
  body.set(bytes, head.length);
  body.set(tail, head.length + bytes.length);
  return { contentType, body };
}

/** The bytes of the blob are read while it is sent. */
export function multipartBlob(fields: NamedFields, bytes: Blob): Multipart<Blob> {
  const { contentType, head, tail } = frameOf(fields);
  return { contentType, body: new Blob([head, bytes, tail]) };
}

function frameOf(fields: NamedFields) {
  const boundary = `kiln-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  const { filename, content_type: contentType = 'application/octet-stream', ...others } = fields;
  if (/[\r\n]/.test(contentType)) throw new TypeError('content_type must be one line');
  const texts = Object.entries({
    filename,
    ...(fields.content_type !== undefined && { content_type: contentType }),
    ...others,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      part(boundary, `name="${name}"`, typeof value === 'string' ? value : JSON.stringify(value)),
    );
  const disposition = `Content-Disposition: form-data; name="file"; filename="${escaped(filename)}"`;
  const encoder = new TextEncoder();
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: encoder.encode(`${texts.join('')}--${boundary}\r\n${disposition}\r\nContent-Type: ${contentType}\r\n\r\n`),
    tail: encoder.encode(`\r\n--${boundary}--\r\n`),
  };
}

const part = (boundary: string, disposition: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;

/** As browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data. */
const escaped = (filename: string) => filename.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
