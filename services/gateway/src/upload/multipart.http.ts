// Reads a multipart body as it arrives (RFC 7578). Fields go into memory, within limits. The one file goes as a stream to
// the function that stores it. After a failure, that function has ended before the error is thrown.
import { badRequest } from '@kiln/contracts';
import { forThisSpan } from '@kiln/platform';
import createParser, { type Busboy } from 'busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { stateOf } from '../http/request-state.http.js';
import { watchArrival } from '../http/watch-arrival.http.js';
import { measureStream } from './store-stream.service.js';
import { parseUploadFields, type Fields, type UploadFields } from './upload-fields.domain.js';

const FIELDS_MAX = 32;
const FIELD_NAME_BYTES_MAX = 100;
/** The size of 50 metadata entries of the greatest length, in JSON. */
const FIELD_BYTES_MAX = 512 * 1024;
/** The size of all fields together. */
const FIELDS_BYTES_MAX = 768 * 1024;
const PART_HEADERS_MAX = 16;

export interface FilePart {
  /** The name that the client has sent. It is not validated. */
  filename: string | undefined;
  contentType: string;
  stream: Readable;
}

/** Stores the file. Receives the fields that preceded it. */
export type StorePart<Stored> = (part: FilePart, fieldsBefore: Fields) => Promise<Stored>;

/** Returns all fields, and the result of `store`, which is null without a file. Throws BAD_REQUEST, or the error of `store`. */
export function readMultipart<Stored>(
  request: IncomingMessage,
  store: StorePart<Stored>,
): Promise<{ fields: Fields; stored: Stored | null }> {
  return new MultipartReader(request, forThisSpan(store)).read();
}

/** Reads the fields and the digest of an upload without storing it. Returns null without a file. */
export async function measureUpload(
  request: IncomingMessage,
  bytesMax: number,
): Promise<{ fields: UploadFields; sha256: string } | null> {
  const { fields, stored } = await readMultipart(request, async ({ filename, stream }) => {
    return { filename, sha256: await measureStream(stream as AsyncIterable<Buffer>, bytesMax) };
  });
  return stored && { fields: parseUploadFields(fields, stored.filename), sha256: stored.sha256 };
}

class MultipartReader<Stored> {
  private readonly fields = new Map<string, string>();
  private readonly parser: Busboy;
  private file: Readable | null = null;
  private storing: Promise<Stored> | null = null;
  private failure: unknown = null;
  private fieldsBytes = 0;
  private stopWatching: (() => void) | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly store: StorePart<Stored>,
  ) {
    this.parser = parserOf(request);
  }

  async read(): Promise<{ fields: Fields; stored: Stored | null }> {
    try {
      await this.parse().finally(() => this.stopWatching?.());
      return { fields: this.fields, stored: await this.storing };
    } catch (error) {
      this.request.unpipe(this.parser).pause();
      this.parser.destroy();
      this.file?.destroy(error instanceof Error ? error : undefined);
      await this.storing?.catch(() => undefined);
      throw error;
    }
  }

  private parse(): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const fail = (error: unknown): void => {
        this.failure ??= error;
        reject(this.failure);
      };
      const refuse = (message: string) => (): void => fail(badRequest(message));
      this.parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
        if (nameTruncated || valueTruncated) fail(badRequest(`${name} is too long`));
        else if (this.fields.has(name)) fail(badRequest(`${name} must be given once`));
        else if ((this.fieldsBytes += Buffer.byteLength(value)) > FIELDS_BYTES_MAX)
          fail(badRequest(`The fields beside the file have more than ${FIELDS_BYTES_MAX} bytes.`));
        else this.fields.set(name, value);
      });
      this.parser.on('file', (name, stream, { filename, mimeType }) => {
        this.file = stream;
        stream.on('error', () => undefined); // The reader of the stream gets the error.
        if (name !== 'file')
          return fail(badRequest(`${name} is not the name of the file part, which must be named "file"`));
        this.storing = this.store({ filename, contentType: mimeType, stream }, this.fields);
        this.storing.catch(fail);
      });
      this.parser.on('filesLimit', refuse('file must be given once'));
      this.parser.on('fieldsLimit', refuse(`The body has more than ${FIELDS_MAX} fields.`));
      this.parser.on('error', refuse('The multipart body is malformed or incomplete.'));
      this.parser.on('close', resolve);
      const gone = refuse('The upload was cut off before its end.');
      this.request.once('error', gone);
      this.request.once('close', () => (this.request.complete ? undefined : gone()));
      this.stopWatching = watchArrival(this.request, fail, () => stateOf(this.request).memory?.heldBytes ?? 0);
      this.request.pipe(this.parser);
    });
  }
}

function parserOf({ headers }: IncomingMessage): Busboy {
  try {
    return createParser({
      headers,
      defParamCharset: 'utf8',
      preservePath: true,
      limits: {
        files: 1,
        fields: FIELDS_MAX,
        fieldNameSize: FIELD_NAME_BYTES_MAX,
        fieldSize: FIELD_BYTES_MAX,
        headerPairs: PART_HEADERS_MAX,
      },
    });
  } catch {
    throw badRequest('Content-Type must be multipart/form-data with a boundary.');
  }
}
