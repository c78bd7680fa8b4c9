/**
 * Offers a sandbox over HTTP, to workers that must not read documents on their own machine:
 *
 * `POST /v1/documents?task=extract|count_pages|make_thumbnail|read_properties|draw_page&filename=…&content_type=…&owner=…`, for a page
 * with `&page=…&width=…`. The body is the document. Answers 200 with a message of ./protocol.ts, followed by the bytes that it announces. 503: all processes and places to wait are taken, or this machine
 * cannot read documents now (./system-fault.ts). If the client closes the connection, reading ends.
 */
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { ExtractionInput, ExtractionOutput } from '@kiln/readers/extractor';
import { formatBytes } from '@kiln/pdf/format-bytes';
import { frameOf } from './message-frame.js';
import type { ChildMessage } from './protocol.js';
import type { Sandbox } from './sandbox-options.js';
import { isSystemFault } from './system-fault.js';

export const DOCUMENTS_PATH = '/v1/documents';
/** For so long a client that was refused may go on sending. */
const lingerMs = 5_000;

export interface ExtractorServerOptions {
  sandbox: Pick<Sandbox, 'extract' | 'countPages' | 'makeThumbnail' | 'readProperties' | 'drawPage'>;
  /** Where documents are kept while they are read. */
  directory: string;
  /** Documents that are received or read at a time. A further one is refused. */
  documentsMax: number;
  inputBytesMax: number;
  /** Milliseconds for receiving a document. */
  receiveDeadlineMs: number;
  /** Called with the error when the files of a document could not be removed. They remain in `directory`. */
  onFilesLeft?: (error: unknown) => void;
}

interface Answer {
  message: ChildMessage;
  /** What follows it. */
  bytes?: Buffer | null;
  files?: readonly string[];
}

export class ExtractorServer {
  private readonly server: Server;
  private readonly running = new Set<Promise<void>>();
  /** Clients that were refused and may still be sending. They take no place. */
  private readonly refusals = new Set<Promise<void>>();

  constructor(private readonly options: ExtractorServerOptions) {
    this.server = createServer((request, response) => {
      const run = this.handle(request, response).finally(() => this.running.delete(run));
      this.running.add(run);
    });
    this.server.requestTimeout = options.receiveDeadlineMs;
  }

  get documents(): number {
    return this.running.size;
  }

  /** Returns the port. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Accepts no further documents, and waits for those that are being read. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeIdleConnections();
    await Promise.allSettled(this.running);
    await Promise.allSettled(this.refusals);
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    let directory: string | null = null;
    try {
      response.setHeader('connection', 'close');
      const url = URL.parse(request.url ?? '/', 'http://extractor');
      if (url === null) return this.refuse(request, response, 400);
      if (request.method !== 'POST' || url.pathname !== DOCUMENTS_PATH) return this.refuse(request, response, 404);
      if (this.running.size >= this.options.documentsMax) return this.refuse(request, response, 503);
      response.once('close', () => gone.abort(new Error('the client has closed the connection')));
      directory = await mkdtemp(join(this.options.directory, 'document-'));
      const { message, bytes = null, files = [] } = await this.read(request, url.searchParams, directory, gone.signal);
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.write(frameOf(message));
      if (bytes !== null) response.write(bytes);
      for (const path of files) await pipeline(createReadStream(path), response, { end: false, signal: gone.signal });
      response.end();
    } catch (error) {
      if (isSystemFault(error) && !response.headersSent && !gone.signal.aborted) this.refuse(request, response, 503);
      // The client has left, or will retry because of the incomplete answer.
      else response.destroy();
    } finally {
      if (directory !== null) await this.remove(directory);
    }
  }

  /** The answer was sent, and other documents are being read. */
  private async remove(directory: string): Promise<void> {
    await rm(directory, { recursive: true, force: true }).catch((error: unknown) => this.options.onFilesLeft?.(error));
  }

  private refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
    const refusal = refuse(request, response, status).finally(() => this.refusals.delete(refusal));
    this.refusals.add(refusal);
  }

  private async read(
    request: IncomingMessage,
    asked: URLSearchParams,
    directory: string,
    gone: AbortSignal,
  ): Promise<Answer> {
    const outputDirectory = join(directory, 'output');
    const input: ExtractionInput = {
      path: join(directory, 'source'),
      filename: asked.get('filename') ?? '',
      contentType: asked.get('content_type') ?? '',
      owner: asked.get('owner') ?? '',
      outputDirectory,
    };
    try {
      await mkdir(outputDirectory);
      await this.receive(request, input, gone);
      return await this.answer(asked, input, gone);
    } catch (error) {
      if (!(error instanceof ExtractionError) || error.code === 'unavailable') throw error;
      const { code, message, retryable } = error;
      return { message: { type: 'failed', code, message, retryable } };
    }
  }

  private async answer(asked: URLSearchParams, input: ExtractionInput, gone: AbortSignal): Promise<Answer> {
    const { sandbox } = this.options;
    const task = asked.get('task');
    if (task === 'draw_page') {
      const place = { page: Number(asked.get('page')), width: Number(asked.get('width')) };
      const { pageCount, png } = await sandbox.drawPage(input, place, gone);
      return { message: { type: 'drawn', pageCount, sizeBytes: png?.length ?? null }, bytes: png };
    }
    if (task === 'count_pages') {
      return { message: { type: 'counted', pageCount: await sandbox.countPages(input, gone) } };
    }
    if (task === 'make_thumbnail') {
      const image = await sandbox.makeThumbnail(input, gone);
      return { message: { type: 'pictured', image: image?.toString('base64') ?? null } };
    }
    if (task === 'read_properties') {
      return { message: { type: 'described', properties: await sandbox.readProperties(input, gone) } };
    }
    return answerOf(await sandbox.extract(input, gone));
  }

  private async receive(
    request: IncomingMessage,
    { path, filename }: ExtractionInput,
    gone: AbortSignal,
  ): Promise<void> {
    const { inputBytesMax } = this.options;
    const file = await open(path, 'w');
    let bytes = 0;
    let fault: unknown = null;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        gone.throwIfAborted();
        bytes += chunk.length;
        // What cannot be kept is received and dropped, so that the client gets the answer.
        if (fault !== null || bytes > inputBytesMax) continue;
        await file.writeFile(chunk).catch((error: unknown) => (fault = error));
      }
    } finally {
      await file.close();
    }
    if (fault !== null) throw fault as Error;
    if (bytes <= inputBytesMax) return;
    throw new ExtractionError(
      'file_too_large',
      `"${filename}" is larger than the ${formatBytes(inputBytesMax)} that can be read. Split it into smaller files.`,
    );
  }
}

async function answerOf({ markdownPath, pagesPath, pageCount, metadata }: ExtractionOutput): Promise<Answer> {
  const { size } = await stat(markdownPath);
  const sizes = { markdownPath: size, pagesPath: pagesPath === null ? null : (await stat(pagesPath)).size };
  const files = pagesPath === null ? [markdownPath] : [markdownPath, pagesPath];
  return { message: { type: 'done', result: { pageCount, metadata, sizes } }, files };
}

/** Resolves once the client has sent everything or is gone. A connection that is closed under a client that sends is reset, and the answer lost. */
async function refuse(request: IncomingMessage, response: ServerResponse, status: number): Promise<void> {
  request.resume();
  response.writeHead(status, { 'content-length': 0 }).flushHeaders();
  await finished(request, { signal: AbortSignal.timeout(lingerMs) }).catch(() => undefined);
  response.end();
}
