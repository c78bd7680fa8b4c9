// A document of which only the write with the highest revision counts.

export interface VersionedId {
  id: string;
  /** The highest one wins. */
  revision: number;
}

export interface VersionedDocument extends VersionedId {
  source: object;
}
