// The outcome of checking a signature.

/** What the signature promises about the body; the payload readers hold the body to it. */
export interface Authenticated {
  /** Whether whoever sent it holds our key, or a URL that somebody signed for them. */
  by: 'key' | 'signed-url';
  /** Value of x-amz-content-sha256: a hex hash, UNSIGNED-PAYLOAD or one of the STREAMING-* forms. */
  payloadHash: string;
  /** Seed for signed chunks; present with header authentication. */
  chunkSigning?: { key: Buffer; amzDate: string; scope: string; seedSignature: string };
}
