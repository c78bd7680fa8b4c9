/**
 * The parent's end of the pipe from a child. A child that a document has compromised may send anything, so a message has a maximum
 * size, and nothing is read that the parent does not wait for.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  MESSAGE_BYTES_MAX,
  MESSAGE_HEADER_BYTES,
  parseChildMessage,
  resultFiles,
  untrustworthy,
  type ChildMessage,
  type FileSizes,
} from './protocol.js';

const pipeEvents = ['readable', 'end', 'close'] as const;

export interface ResultPaths {
  markdownPath: string;
  pagesPath: string | null;
}

export class ChildPipe {
  constructor(private readonly pipe: Readable) {
    // A broken pipe is noticed by the exit of the child.
    pipe.on('error', () => undefined);
  }

  /** The next message. Rejects when the signal is aborted, or when the child sends something else. */
  async message(signal: AbortSignal): Promise<ChildMessage> {
    const bytes = (await this.exactly(MESSAGE_HEADER_BYTES, signal)).readUInt32BE();
    if (bytes > MESSAGE_BYTES_MAX) throw untrustworthy('its message is larger than allowed');
    const message = parseChildMessage(parseJson((await this.exactly(bytes, signal)).toString('utf8')));
    if (message === null) throw untrustworthy('its message has the wrong format');
    return message;
  }

  /** Copies the files of a result into a folder. Their bytes follow the message that announces them. */
  async files(sizes: FileSizes, directory: string, signal: AbortSignal): Promise<ResultPaths> {
    const paths: ResultPaths = { markdownPath: '', pagesPath: null };
    for (const [field, name] of resultFiles) {
      const bytes = sizes[field];
      if (bytes === null) continue;
      paths[field] = join(directory, name);
      await this.copy(bytes, join(directory, name), signal);
    }
    this.assertNoMore();
    return paths;
  }

  /** The bytes that follow a message. */
  async bytes(size: number, signal: AbortSignal): Promise<Buffer> {
    const bytes = await this.exactly(size, signal);
    this.assertNoMore();
    return bytes;
  }

  private assertNoMore(): void {
    if (this.pipe.readableLength > 0) throw untrustworthy('it sent more bytes than it announced');
  }

  private async copy(bytes: number, path: string, signal: AbortSignal): Promise<void> {
    const file = await open(path, 'w');
    try {
      for (let left = bytes; left > 0;) {
        const chunk = await this.next(left, signal);
        await file.writeFile(chunk);
        left -= chunk.length;
      }
    } finally {
      await file.close();
    }
  }

  private async exactly(bytes: number, signal: AbortSignal): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (let left = bytes; left > 0;) {
      const chunk = await this.next(left, signal);
      chunks.push(chunk);
      left -= chunk.length;
    }
    return Buffer.concat(chunks);
  }

  /** The next bytes that arrive, `bytesMax` at most. */
  private async next(bytesMax: number, signal: AbortSignal): Promise<Buffer> {
    for (;;) {
      signal.throwIfAborted();
      // With nothing in its buffer, this makes the stream read.
      const chunk = this.pipe.read(Math.min(bytesMax, this.pipe.readableLength)) as Buffer | null;
      if (chunk !== null && chunk.length > 0) return chunk;
      if (this.pipe.readableEnded || this.pipe.destroyed) throw new PipeClosedError();
      await this.change(signal);
    }
  }

  /** Resolves when bytes arrive or the pipe ends. Rejects when the signal is aborted. */
  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        for (const event of pipeEvents) this.pipe.off(event, onChange);
        signal.removeEventListener('abort', onAbort);
      };
      const onChange = (): void => {
        stop();
        resolve();
      };
      const onAbort = (): void => {
        stop();
        reject(signal.reason as Error);
      };
      for (const event of pipeEvents) this.pipe.on(event, onChange);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/** The child has ended, or has closed its end of the pipe. */
export class PipeClosedError extends Error {}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
