// Signs URLs for contents that are stored in a row and not in the object store. Like the URLs of the store, they need no other
// credentials until they expire. The token names tenant, file and variant; a variant that replaces this one has another id.
import { uuidAt, type Signer } from '@kiln/platform';
import type { IncomingMessage } from 'node:http';
import { ownAddress } from '../http/own-address.http.js';

/** The ids are uuids, as services use them. */
export interface ContentPlace {
  tenantId: string;
  fileId: string;
  variantId: string;
}

export interface ContentUrlsOptions {
  signer: Signer;
  lifetimeSeconds: number;
  /** The public address. Default: the address to which the request was sent. */
  publicUrl: string | undefined;
}

const UUID_BYTES = 16;
const EXPIRY_BYTES = 6;
const MESSAGE_BYTES = 3 * UUID_BYTES + EXPIRY_BYTES;

export class ContentUrls {
  constructor(
    private readonly options: ContentUrlsOptions,
    private readonly now: () => number = Date.now,
  ) {}

  urlTo(place: ContentPlace, request: IncomingMessage): string {
    const { signer, lifetimeSeconds, publicUrl } = this.options;
    const message = Buffer.alloc(MESSAGE_BYTES);
    [place.tenantId, place.fileId, place.variantId].forEach((uuid, at) =>
      message.write(uuid.replaceAll('-', ''), at * UUID_BYTES, 'hex'),
    );
    message.writeUIntBE(Math.floor(this.now() / 1_000) + lifetimeSeconds, 3 * UUID_BYTES, EXPIRY_BYTES);
    return `${ownAddress(request, publicUrl)}/v1/content/${signer.sign(message).toString('base64url')}`;
  }

  /** Returns null if no gateway has signed the token, or it has expired. `secondsLeft` is how long the URL is valid. */
  open(token: string): (ContentPlace & { secondsLeft: number }) | null {
    const signed = Buffer.from(token, 'base64url');
    // Decoding skips characters that are not base64, so only the exact text that was issued is accepted.
    if (signed.toString('base64url') !== token) return null;
    const message = this.options.signer.verify(signed);
    if (message?.length !== MESSAGE_BYTES) return null;
    const secondsLeft = message.readUIntBE(3 * UUID_BYTES, EXPIRY_BYTES) - Math.floor(this.now() / 1_000);
    if (secondsLeft <= 0) return null;
    return { tenantId: uuidAt(message, 0), fileId: uuidAt(message, 1), variantId: uuidAt(message, 2), secondsLeft };
  }
}
