// Brings a multipart body to its parser, and what belongs to the file to its reader: through the parser where it must look,
// past it where there is nothing to see. The body waits for whichever is slower.
import type { Busboy } from 'busboy';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { BoundarySearch } from './boundary-search.js';

/** Pieces of up to 64 KiB, as they come from a socket. */
const PIECES_WAITING_MAX = 8;

export class BodyFeed {
  private readonly search: BoundarySearch | null;
  /** What the parser gives of the file, while it gives any. */
  private parsed: Readable | null = null;
  private file: Readable | null = null;
  private isParsing = false;
  private isFull = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly parser: Busboy,
  ) {
    this.search = BoundarySearch.for(request.headers['content-type']);
  }

  start(): void {
    this.request.on('data', this.take);
    this.request.once('end', this.end);
  }

  /** Nothing more is fed; who reads the file hears why. */
  stop(reason: Error | undefined): void {
    this.request.off('data', this.take).off('end', this.end).pause();
    this.file?.destroy(reason);
  }

  /** The file whose parsed bytes these are. Its pieces are nobody else's. */
  fileOf(parsed: Readable): Readable {
    const read = (): void => {
      this.isFull = false;
      this.goOn();
    };
    const file = new Readable({ objectMode: true, highWaterMark: PIECES_WAITING_MAX, read });
    this.parsed = parsed;
    this.file = file;
    parsed.on('data', (piece: Buffer) => this.pass(file, piece));
    parsed.once('end', () => {
      this.parsed = null;
      file.push(null);
    });
    parsed.once('error', (error) => file.destroy(error));
    return file;
  }

  private readonly take = (piece: Buffer): void => {
    const isFree = this.search?.isFree(piece) === true;
    // The parser has told all it knows by now: each piece it is given is waited for, and the file flows out of it.
    if (isFree && this.file !== null && this.parsed?.readableLength === 0) {
      this.pass(this.file, piece);
      if (this.isFull) this.request.pause();
      return;
    }
    this.isParsing = true;
    this.request.pause();
    this.parser.write(piece, () => setImmediate(this.parsedPiece));
  };

  private readonly parsedPiece = (): void => {
    this.isParsing = false;
    this.goOn();
  };

  private readonly end = (): void => void this.parser.end();

  private pass(file: Readable, piece: Buffer): void {
    if (!file.push(piece)) this.isFull = true;
  }

  private goOn(): void {
    if (!this.isParsing && !this.isFull) this.request.resume();
  }
}
