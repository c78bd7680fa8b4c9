// Metadata as rows of a form, and the changes that saving them makes.
export interface MetadataRow {
  id: number;
  key: string;
  value: string;
}

type Metadata = Readonly<Record<string, string>>;

export const rowsOf = (metadata: Metadata): readonly MetadataRow[] =>
  Object.entries(metadata).map(([key, value], id) => ({ id, key, value }));

/** Why the rows cannot be saved, or null. A row without key and value is ignored. */
export function problemOf(rows: readonly MetadataRow[]): string | null {
  const used = rows.filter(({ key, value }) => key.trim() !== '' || value !== '');
  if (used.some(({ key }) => key.trim() === '')) return 'A value has no key. Give it one, or remove the row.';
  const keys = used.map(({ key }) => key.trim());
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  return twice === undefined ? null : `The key “${twice}” is there twice. Remove one of the rows.`;
}

/** The metadata that the rows make. A row without a key is ignored. */
export const metadataOf = (rows: readonly MetadataRow[]): Metadata =>
  Object.fromEntries(rows.map(({ key, value }) => [key.trim(), value] as const).filter(([key]) => key !== ''));

/** The changed keys with their values, removed ones with null. Null if nothing changes. */
export function changesOf(metadata: Metadata, rows: readonly MetadataRow[]): Record<string, string | null> | null {
  const kept = new Map(Object.entries(metadataOf(rows)));
  const known = new Map(Object.entries(metadata));
  const changes = [
    ...[...kept].filter(([key, value]) => known.get(key) !== value),
    ...[...known.keys()].filter((key) => !kept.has(key)).map((key): [string, null] => [key, null]),
  ];
  return changes.length === 0 ? null : Object.fromEntries(changes);
}
