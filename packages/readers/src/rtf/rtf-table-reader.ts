/** Reads the tables at the beginning of an RTF file: fonts, styles, lists, and the properties of the document. */
import type { RtfTables } from './rtf-document.js';

const infoFields = ['title', 'subject', 'author', 'keywords', 'doccomm', 'creatim', 'revtim'];
export const tableDestinations: ReadonlySet<string> = new Set([
  'fonttbl',
  'stylesheet',
  'listtable',
  'listoverridetable',
  'info',
  ...infoFields,
]);
const textCharactersMax = 1000;

export class RtfTableReader {
  private font = 0;
  private style: number | null = 0;
  private styleName = '';
  private levels: number[] = [];
  private overriddenList = 0;
  private date: number[] = [];

  constructor(private readonly tables: RtfTables) {}

  fontEncoding(encoding: string): void {
    this.tables.fonts.set(this.font, encoding);
  }

  text(destination: string, text: string): void {
    if (destination === 'stylesheet') this.styleText(text);
    else if (infoFields.includes(destination)) {
      const known = this.tables.info.get(destination) ?? '';
      if (known.length < textCharactersMax) this.tables.info.set(destination, known + text);
    }
  }

  /** Whether the word belongs to the table. */
  word(destination: string, name: string, value: number | null): boolean {
    const number = value ?? 0;
    switch (`${destination} ${name}`) {
      case 'fonttbl f':
        this.font = number;
        return true;
      case 'stylesheet s':
        this.style = number;
        this.styleName = '';
        return true;
      // Styles of characters, of sections and of tables, which are skipped.
      case 'stylesheet cs':
      case 'stylesheet ds':
      case 'stylesheet ts':
        this.style = null;
        return true;
      case 'listtable list':
        this.levels = [];
        return true;
      case 'listtable levelnfc':
        this.levels.push(number);
        return true;
      case 'listtable listid':
        this.tables.lists.set(number, this.levels);
        return true;
      case 'listoverridetable listid':
        this.overriddenList = number;
        return true;
      case 'listoverridetable ls':
        this.tables.overrides.set(number, this.overriddenList);
        return true;
      default:
        if (destination === 'creatim' || destination === 'revtim') this.date.push(number);
        return destination === 'stylesheet' || destination === 'listtable';
    }
  }

  /** Receives the end of a destination's group. */
  end(destination: string): void {
    if (destination === 'creatim' || destination === 'revtim') {
      const [year = 0, month = 0, day = 0] = this.date;
      const padded = [month, day].map((part) => String(part).padStart(2, '0'));
      if (year > 0) this.tables.info.set(destination, [year, ...padded].join('-'));
      this.date = [];
    }
  }

  /** A name ends with a semicolon. */
  private styleText(text: string): void {
    this.styleName += text.slice(0, textCharactersMax);
    if (!this.styleName.includes(';')) return;
    if (this.style !== null)
      this.tables.styles.set(this.style, this.styleName.slice(0, this.styleName.indexOf(';')).trim().toLowerCase());
    this.styleName = '';
    this.style = 0;
  }
}
