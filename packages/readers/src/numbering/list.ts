/** How the items of a list are numbered, as the files of word processors describe it. */
export const levelsOfList = 9;
/** Word writes no longer labels. A label is repeated for each paragraph of its level. */
export const labelCharactersMax = 100;

export interface ListLevel {
  start: number;
  /** `decimal`, `lowerRoman`, `bullet`, … */
  format: string;
  /** The template of the label. `%1.%2)` has the numbers of the first and second level, and other characters. */
  label: string;
  /** The level after which this one begins anew: 0 for none, 1 for the first. Null for every level above. */
  restart: number | null;
  /** Whether the numbers of all levels are written in digits. */
  isLegal: boolean;
}

export interface List {
  /** Lists with the same sequence continue each other. */
  sequence: string;
  id: string;
  levels: ReadonlyMap<number, ListLevel>;
  /** The numbers with which this list begins instead of continuing the sequence, by level. */
  starts: ReadonlyMap<number, number>;
}
