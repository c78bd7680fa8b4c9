// A multipart body around a stream (RFC 7578): the fields, then the file.
import type { UploadFields } from './upload-options.js';

export interface Multipart {
  contentType: string;
  body: ReadableStream<Uint8Array>;
}

export function multipartOf(
  fields: UploadFields & { filename: string },
  stream: ReadableStream<Uint8Array>,
): Multipart {
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
  const head = `${texts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escaped(filename)}"\r\nContent-Type: ${contentType}\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: enclosed(head, stream, `\r\n--${boundary}--\r\n`),
  };
}

const part = (boundary: string, disposition: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;

/** As browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data. */
const escaped = (filename: string) => filename.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

function enclosed(head: string, stream: ReadableStream<Uint8Array>, tail: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const frame = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    flush: (controller) => controller.enqueue(encoder.encode(tail)),
  });
  return stream.pipeThrough(frame);
}
