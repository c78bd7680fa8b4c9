// A document of which only the write with the highest revision counts.

export interface VersionedId {
  id: string;
  /** The highest one wins. */
  revision: number;
}

export interface VersionedDocument extends VersionedId {
  source: object;
}

interface IndexSettings {
  shards: number;
  replicas: number;
  index: Record<string, unknown>;
  properties: Record<string, unknown>;
}

/** The definition of an index of such documents, with the settings that versions and routing need. */
export const versionedDefinition = ({ shards, replicas, index, properties }: IndexSettings) => ({
  settings: {
    index: {
      number_of_shards: shards,
      number_of_replicas: replicas,
      // A write that arrives late is refused if its document was deleted.
      gc_deletes: '1h',
      ...index,
    },
  },
  mappings: {
    dynamic: 'strict',
    // PostgreSQL has the source.
    _source: { enabled: false },
    _routing: { required: true },
    properties,
  },
});

/** A number that queries only return. */
export const storedNumber = (type: 'integer' | 'long') => ({ type, index: false }) as const;
