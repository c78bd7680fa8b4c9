// Tells which pieces of a multipart body (RFC 2046, 5.1.1) can hold nothing of a boundary. The parser looks for it in
// JavaScript, which costs a large file more than being hashed; Node's own search costs it next to nothing.

/** The forms in which clients write it. In others it might be read otherwise than the parser does. */
const BOUNDARY = /^[^;]*;\s*boundary=(?:"([\w'()+,./:=?-]+)"|([\w'+.-]+))\s*$/i;
const CARRIAGE_RETURN = 13;

export class BoundarySearch {
  /** The piece before may end with the beginning of a boundary. */
  private isPending = true;

  private constructor(private readonly delimiter: Buffer) {}

  /** Null when the boundary is not plain to see. */
  static for(contentType: string | undefined): BoundarySearch | null {
    const [, quoted, token] = BOUNDARY.exec(contentType ?? '') ?? [];
    const boundary = quoted ?? token;
    return boundary === undefined ? null : new BoundarySearch(Buffer.from(`\r\n--${boundary}`));
  }

  /**
   * Whether no boundary begins or ends in this piece, nor has begun before it. Every piece of the body must be shown, in
   * order; whether there is a file at this place, the parser knows.
   */
  isFree(piece: Buffer): boolean {
    const wasPending = this.isPending;
    this.isPending = this.endsWithin(piece);
    return !wasPending && !this.isPending && !piece.includes(this.delimiter);
  }

  /** Whether the last bytes may be the first of a boundary; only its first byte is a carriage return. */
  private endsWithin(piece: Buffer): boolean {
    if (piece.length < this.delimiter.length) return true; // what began before may go on after it
    let at = piece.indexOf(CARRIAGE_RETURN, Math.max(0, piece.length - this.delimiter.length + 1));
    while (at >= 0) {
      if (this.delimiter.subarray(0, piece.length - at).equals(piece.subarray(at))) return true;
      at = piece.indexOf(CARRIAGE_RETURN, at + 1);
    }
    return false;
  }
}
