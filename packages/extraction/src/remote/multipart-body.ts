// A form with fields and one file (RFC 7578), streamed from disk: its length is known up front, its bytes are never all in
// memory.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { RequestStream } from '@kiln/model-clients/http/provider-http';

export interface FormFile {
  /** The field's name. */
  field: string;
  path: string;
  /** The filename that is sent to the provider. */
  filename: string;
  contentType: string;
}

export interface MultipartBody extends RequestStream {
  contentType: string;
}

export async function multipartBody(fields: Readonly<Record<string, string>>, file: FormFile): Promise<MultipartBody> {
  const boundary = `kiln-${randomUUID()}`;
  const disposition = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
  const parts = Object.entries(fields).map(([name, value]) => `${disposition(name)}\r\n\r\n${value}\r\n`);
  parts.push(
    `${disposition(file.field)}; filename="${quoted(file.filename)}"\r\nContent-Type: ${oneLine(file.contentType)}\r\n\r\n`,
  );
  const head = Buffer.from(parts.join(''));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const { size } = await stat(file.path);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: head.length + size + tail.length,
    chunks: chunksOf(head, file.path, tail),
  };
}

async function* chunksOf(head: Buffer, path: string, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  yield tail;
}

/** As browsers quote names: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}
