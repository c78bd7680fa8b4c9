/** The tables at the beginning of an RTF file. The text refers to their entries by number. */
export interface RtfTables {
  fonts: Map<number, string>;
  /** Names of paragraph styles, in lower case. */
  styles: Map<number, string>;
  /** The number formats of each list's levels, by the list's id. */
  lists: Map<number, number[]>;
  /** Ids of lists, by the number with which paragraphs refer to them. */
  overrides: Map<number, number>;
  info: Map<string, string>;
}

export interface RtfCell {
  isMergedAcross: boolean;
  isMergedDown: boolean;
}

/** The properties of characters and paragraphs, which each group inherits. */
export interface RtfState {
  destination: string;
  encoding: string;
  bold: boolean;
  italic: boolean;
  struck: boolean;
  raised: boolean;
  hidden: boolean;
  /** The number of characters to skip after a Unicode character: its substitute for programs without Unicode. */
  skipAfterUnicode: number;
  inTable: boolean;
  list: number | null;
  listLevel: number;
  outlineLevel: number | null;
  style: number | null;
}

export const initialState: RtfState = {
  destination: 'text',
  encoding: 'windows-1252',
  bold: false,
  italic: false,
  struck: false,
  raised: false,
  hidden: false,
  skipAfterUnicode: 1,
  inTable: false,
  list: null,
  listLevel: 0,
  outlineLevel: null,
  style: null,
};

/** Groups without text of the document. Unknown groups that begin with `\*` are skipped, too. */
export const skippedDestinations = new Set(
  'colortbl pict objdata header headerl headerr headerf footer footerl footerr footerf themedata datastore latentstyles rsidtbl generator xmlnstbl filetbl revtbl private fldtype datafield formfield nonshppict ftnsep ftnsepc aftnsep aftnsepc bkmkstart bkmkend xe tc rxe txe pgdsctbl'.split(
    ' ',
  ),
);
/** Groups that begin with `\*` and are read. */
export const optionalDestinations = new Set([
  'listtable',
  'listoverridetable',
  'fldinst',
  'shpinst',
  'pn',
  'shptxt',
  'annotation',
  'footnote',
]);

/** The formats of numbers that are bullets (`\levelnfc`). 255 has no number. */
export const bulletFormat = 23;
export const noNumberFormat = 255;
