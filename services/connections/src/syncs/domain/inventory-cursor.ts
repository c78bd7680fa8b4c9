// The place in an inventory at which a sync resumes, in the form in which it is stored with the sync.
export interface PlaceInInventory {
  /** The number of the file in the manifest, from 0. */
  file: number;
  /** The rows of the file that were read. */
  rows: number;
}

export const inventoryCursor = (place: PlaceInInventory | null): string | null =>
  place && `${place.file}:${place.rows}`;

export function inventoryPlaceOf(cursor: string | null): PlaceInInventory {
  const [file = 0, rows = 0] = (cursor ?? '').split(':').map(Number);
  return { file, rows };
}
