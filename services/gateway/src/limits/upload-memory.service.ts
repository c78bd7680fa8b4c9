// Bounds the memory that uploads under way take in this process. Tenants share it, so that the held uploads of one tenant leave
// room for the others.
import { CodedError } from '@kiln/contracts';
import { SharedPlaces } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import type { IncomingMessage } from 'node:http';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The buffers of the connection and of the parser. */
const CONNECTION_BYTES = 64 * KIB;
/** The fields of a body (upload/multipart.http.ts), and the beginning of its file. */
const BEGINNING_BYTES = 1.5 * MIB;

/** Files with more bytes are stored in parts. */
export const SMALL_FILE_BYTES = 256 * KIB;

/** When a caller should try again: most uploads last longer than a second, and shorter than a minute. */
const RETRY_AFTER_SECONDS = 5;

export class UploadMemory {
  private readonly bytes: SharedPlaces;

  /** A file that is not small is sent to the store in parts. */
  constructor(
    bytesMax: number,
    private readonly store: Pick<ObjectStore, 'putMemoryBytes'>,
  ) {
    this.bytes = new SharedPlaces(bytesMax);
  }

  /** Takes the memory that the body needs by its Content-Length, or the memory that every body needs. Throws UNAVAILABLE. */
  hold(tenantId: string, { headers }: Pick<IncomingMessage, 'headers'>): UploadHold {
    const hold = new UploadHold(tenantId, this.bytes, this.store);
    const length = headers['content-length'];
    if (length === undefined) hold.growTo(CONNECTION_BYTES + BEGINNING_BYTES);
    else hold.growFor(Number(length));
    return hold;
  }

  get heldBytes(): number {
    return this.bytes.takenCount;
  }
}

/** The memory of one upload. It must be released once. */
export class UploadHold {
  private held = 0;

  constructor(
    private readonly tenantId: string,
    private readonly bytes: SharedPlaces,
    private readonly store: Pick<ObjectStore, 'putMemoryBytes'>,
  ) {}

  get heldBytes(): number {
    return this.held;
  }

  /** Grows the memory for a body or a file of at most this size. Throws UNAVAILABLE. */
  growFor(sizeBytesMax: number): void {
    const parts = this.store.putMemoryBytes(sizeBytesMax);
    this.growTo(CONNECTION_BYTES + Math.min(sizeBytesMax, BEGINNING_BYTES + parts));
  }

  /** Throws UNAVAILABLE. */
  growTo(bytes: number): void {
    const more = bytes - this.held;
    if (more <= 0) return;
    const refusal = this.bytes.take(this.tenantId, more);
    if (refusal !== null) throw tooManyUploads(refusal === 'tenant' ? 'Your uploads' : 'The uploads');
    this.held = bytes;
  }

  release(): void {
    this.bytes.release(this.tenantId, this.held);
    this.held = 0;
  }
}

function tooManyUploads(whose: string): CodedError {
  const message = `${whose} under way take all the memory there is for them. Retry when some have ended.`;
  return new CodedError('UNAVAILABLE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
