/** Why a file cannot be read. The message is a sentence about the file, without capital and full stop. */
export class ParquetError extends Error {
  override readonly name = 'ParquetError';

  constructor(
    /** Damaged: no writer makes such a file. Unsupported: it may be valid, and this package does not read it. */
    readonly kind: 'damaged' | 'unsupported',
    message: string,
  ) {
    super(message);
  }
}

export const damaged = (message: string): ParquetError => new ParquetError('damaged', message);

export const unsupported = (message: string): ParquetError => new ParquetError('unsupported', message);
