// An upload written by hand: in pieces, cut off, or larger than a test would hold in memory.
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { TEST_KEY } from './gateway-process.js';

const BOUNDARY = 'boundary-of-the-test';

export const fieldPart = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
export const filePartHead = (filename: string, contentType = 'application/octet-stream') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n`;
export const bodyEnd = `\r\n--${BOUNDARY}--\r\n`;

/** What an upload that continues sends each second. */
export const PIECE_BYTES = 128 * 1024;

/**
 * Continues to send, just fast enough that the body is not refused as slow, however long a test takes. Returns a function that
 * ends it. After this process stood still, it sends what it missed.
 */
export function keepSending(request: ClientRequest): () => void {
  const startedAt = performance.now();
  let pieces = 0;
  const timer = setInterval(() => {
    for (; pieces < (performance.now() - startedAt) / 1_000 - 0.5; pieces++)
      request.write(Buffer.alloc(PIECE_BYTES, ' '));
  }, 1_000);
  const stop = (): void => clearInterval(timer);
  request.once('close', stop).once('response', stop);
  return stop;
}

export interface RawAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export class RawUpload {
  private readonly request: ClientRequest;
  private readonly response: Promise<IncomingMessage>;
  private stopSending: () => void = () => undefined;

  constructor(gatewayUrl: string, headers: Record<string, string> = {}) {
    this.request = request(`${gatewayUrl}/v1/upload`, {
      method: 'POST',
      headers: {
        authorization: `ApiKey ${TEST_KEY}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        ...headers,
      },
    });
    this.response = once(this.request, 'response').then(([response]) => response as IncomingMessage);
    this.response.catch(() => undefined);
    this.request.on('error', () => undefined);
  }

  /** Resolves once the socket took it, so that the sender keeps the pace of the gateway. */
  async send(bytes: string | Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.request.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  keepSending(): void {
    this.stopSending = keepSending(this.request);
  }

  /** Closes the connection. */
  cutOff(): void {
    this.request.destroy();
  }

  async answer(rest = ''): Promise<RawAnswer> {
    this.stopSending();
    this.request.end(rest);
    return this.answerNow();
  }

  /** The answer that comes before the body has been sent to its end. */
  async answerNow(): Promise<RawAnswer> {
    const response = await this.response;
    const pieces: Buffer[] = [];
    for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: JSON.parse(Buffer.concat(pieces).toString()) as RawAnswer['body'],
    };
  }
}
