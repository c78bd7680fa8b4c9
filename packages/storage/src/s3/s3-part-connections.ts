// Kept connections for the parts of uploads. By Node's own client: undici parses answers in WebAssembly, and V8 takes 34 MiB to
// optimize that parser, which a few hundred answers for large parts never earn back.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { SOCKETS_MAX } from './s3-client.js';

export class PartConnections {
  readonly #agent: HttpAgent;
  readonly #origin: string;

  constructor(origin: string) {
    const options = { keepAlive: true, maxSockets: SOCKETS_MAX };
    this.#origin = origin;
    this.#agent = origin.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** The tag that the store answers, as it writes it; null when it says anything but 200. Nothing reads `body` after that. */
  put(
    path: string,
    headers: Record<string, string>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<string | undefined | null> {
    const send = this.#agent instanceof HttpsAgent ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const hear = (answer: IncomingMessage): void => {
        answer.once('error', reject).resume();
        if (answer.statusCode === 200) {
          answer.once('end', () => resolve(answer.headers.etag));
        } else {
          sending.destroy(); // it may still be sending
          resolve(null);
        }
      };
      const sending = send(this.#origin + path, { method: 'PUT', agent: this.#agent, headers, signal }, hear);
      sending.once('error', reject).end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
