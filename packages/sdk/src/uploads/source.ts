// Where the bytes of an upload come from.

export type Bytes = Blob | ReadableStream<Uint8Array>;

/** Bytes of a known length that can be read again, for another attempt. */
export interface NamedSource {
  filename: string;
  contentType?: string;
  sizeBytes: number;
  /** Is called for each attempt. */
  open(): Bytes | Promise<Bytes>;
  /** Reads the bytes from `start` up to, but without, `end`. Needed for an upload in parts. */
  slice?(start: number, end: number): Bytes | Promise<Bytes>;
}

/** `fromPath` of `@kiln/sdk/node` makes a source from a file on disk. */
export type Uploadable = Blob | Uint8Array | ReadableStream<Uint8Array> | URL | NamedSource;

export interface RepeatableSource extends Omit<NamedSource, 'filename'> {
  /** Undefined for bytes without a name. */
  filename: string | undefined;
}

export type PartSource = RepeatableSource & Required<Pick<RepeatableSource, 'slice'>>;

export const canBeCut = (source: RepeatableSource): source is PartSource => source.slice !== undefined;

export interface StreamSource {
  filename: string | undefined;
  contentType: string | undefined;
  stream: ReadableStream<Uint8Array>;
}

export function repeatableSourceOf(source: Blob | Uint8Array | NamedSource): RepeatableSource {
  if (source instanceof Uint8Array) return repeatableSourceOf(new Blob([source as Uint8Array<ArrayBuffer>]));
  if (!(source instanceof Blob)) return source;
  const { name } = source as { name?: string };
  const type = source.type === '' ? {} : { contentType: source.type };
  return {
    filename: name,
    ...type,
    sizeBytes: source.size,
    open: () => source,
    slice: (...range) => source.slice(...range),
  };
}
