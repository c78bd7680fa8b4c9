// The outcome of checking a signature.

/** The body's properties that are signed. The payload readers verify them. */
export interface Authenticated {
  /** Whether the sender has the access key, or a signed URL. */
  by: 'key' | 'signed-url';
  /** Value of x-amz-content-sha256: a hex hash, UNSIGNED-PAYLOAD or one of the STREAMING-* forms. */
  payloadHash: string;
  /** The seed of chunk signatures. Present with header authentication. */
  chunkSigning?: { key: Buffer; amzDate: string; scope: string; seedSignature: string };
}
