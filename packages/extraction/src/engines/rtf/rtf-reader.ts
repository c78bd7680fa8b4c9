/** Walks the groups of an RTF file and passes its text on. */
import { ExtractionError } from '../../extraction-error.js';
import { withWindowsCharacters } from '../../text/decode-text.js';
import { element } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { RtfBlocks } from './rtf-blocks.js';
import { encodingOfCharset, encodingOfCodePage } from './rtf-charsets.js';
import {
  initialState,
  optionalDestinations,
  type RtfState,
  type RtfTables,
  skippedDestinations,
} from './rtf-document.js';
import { RtfTableReader, tableDestinations } from './rtf-table-reader.js';
import { type RtfToken, rtfTokens } from './rtf-tokens.js';

const depthMax = 1000;
const notesDepthMax = 4;
/** Words that stand for a character. */
const characters: Readonly<Record<string, string>> = {
  bullet: '•',
  emdash: '—',
  emspace: ' ',
  endash: '–',
  enspace: ' ',
  ldblquote: '“',
  lquote: '‘',
  nbhyphen: '-',
  nbsp: ' ',
  rdblquote: '”',
  rquote: '’',
  tab: ' ',
};

export class RtfReader {
  private readonly tables: RtfTableReader;
  private readonly stack: RtfState[] = [];
  private state: RtfState = initialState;
  private documentEncoding = 'windows-1252';
  private pending: Buffer[] = [];
  private isOptional = false;
  private skip = 0;
  private instruction = '';
  private highSurrogate = '';
  /** The blocks around the note that is open. */
  private readonly outer: { blocks: RtfBlocks; depth: number }[] = [];

  constructor(
    found: RtfTables,
    private readonly filename: string,
    private blocks = new RtfBlocks(found),
  ) {
    this.tables = new RtfTableReader(found);
    this.found = found;
  }

  private readonly found: RtfTables;

  read(rtf: string): HtmlElement[] {
    for (const token of rtfTokens(rtf)) this.take(token);
    this.flush();
    while (this.outer.length > 0) this.endNote();
    return this.blocks.finish(this.state);
  }

  private take(token: RtfToken): void {
    if (token.kind === 'bytes') return this.bytes(token.bytes, token.isEscaped);
    this.flush();
    if (token.kind === 'open') this.open();
    else if (token.kind === 'close') this.close();
    else this.word(token.name, token.value);
  }

  private open(): void {
    if (this.stack.length >= depthMax)
      throw new ExtractionError(
        'file_too_large',
        `"${this.filename}" is nested too deeply: more than ${depthMax} groups. Save it as DOCX, and upload that.`,
      );
    this.stack.push(this.state);
    this.isOptional = false;
  }

  private close(): void {
    const ended = this.state;
    this.state = this.stack.pop() ?? initialState;
    this.skip = 0;
    if (ended.destination !== this.state.destination) this.tables.end(ended.destination);
    if (ended.destination === 'fldinst' && this.state.destination !== 'fldinst') this.startField();
    if (ended.destination === 'fldrslt' && this.state.destination !== 'fldrslt') this.blocks.closeLink();
    if (this.outer.length > 0 && this.stack.length < (this.outer.at(-1)?.depth ?? 0)) this.endNote();
  }

  private startField(): void {
    const address = /^\s*HYPERLINK\s+(?:\\[a-z]\s+)*"([^"]{1,4096})"/i.exec(this.instruction.slice(0, 8192))?.[1];
    this.instruction = '';
    if (address !== undefined) this.blocks.openLink(address);
  }

  private bytes(bytes: Buffer, isEscaped: boolean): void {
    const skipped = Math.min(this.skip, bytes.length);
    this.skip -= skipped;
    const rest = bytes.subarray(skipped);
    if (rest.length === 0) return;
    this.pending.push(rest);
    if (!isEscaped && this.state.destination !== 'text') this.isOptional = false;
  }

  /** Bytes are decoded together, because characters of some sets have two. */
  private flush(): void {
    if (this.pending.length === 0) return;
    const bytes = Buffer.concat(this.pending);
    this.pending = [];
    const { encoding } = this.state;
    this.text(withWindowsCharacters(new TextDecoder(encoding === '' ? this.documentEncoding : encoding).decode(bytes)));
  }

  private text(text: string): void {
    const { destination } = this.state;
    if (destination === 'text' || destination === 'fldrslt' || destination === 'note')
      this.blocks.text(text, this.state);
    else if (destination === 'fldinst') this.instruction += text;
    else if (destination === 'listtext') this.blocks.addListText(text);
    else this.tables.text(destination, text);
  }

  /** A character beyond the first plane is written as two. */
  private unicode(unit: string): void {
    const pair = this.highSurrogate + unit;
    const isHigh = /[\uD800-\uDBFF]$/.test(unit);
    this.highSurrogate = isHigh ? unit : '';
    if (!isHigh) this.text(pair);
  }

  private word(name: string, value: number | null): void {
    if (name === '*') {
      this.isOptional = true;
      return;
    }
    if (this.isOptional) {
      this.isOptional = false;
      if (!optionalDestinations.has(name)) return this.enter('skipped');
    }
    if (this.state.destination === 'skipped') return;
    if (skippedDestinations.has(name)) return this.enter('skipped');
    if (tableDestinations.has(name) || name === 'fldinst' || name === 'fldrslt') return this.enter(name);
    if (name === 'listtext' || name === 'pntext') return this.enter('listtext');
    if (name === 'footnote') return this.beginNote();
    if (tableDestinations.has(this.state.destination) && this.tables.word(this.state.destination, name, value)) return;
    this.formatWord(name, value);
  }

  private enter(destination: string): void {
    this.state = { ...this.state, destination };
  }

  private formatWord(name: string, value: number | null): void {
    const isOn = value !== 0;
    switch (name) {
      case 'ansicpg':
        this.documentEncoding = encodingOfCodePage(value ?? 0);
        this.state = { ...this.state, encoding: '' };
        return;
      case 'f':
        this.state = { ...this.state, encoding: this.found.fonts.get(value ?? 0) ?? '' };
        return;
      case 'fcharset':
        this.tables.fontEncoding(encodingOfCharset(value ?? 0) ?? '');
        return;
      case 'b':
        this.state = { ...this.state, bold: isOn };
        return;
      case 'i':
        this.state = { ...this.state, italic: isOn };
        return;
      case 'strike':
      case 'striked':
        this.state = { ...this.state, struck: isOn };
        return;
      case 'v':
      case 'deleted':
        this.state = { ...this.state, hidden: isOn };
        return;
      case 'plain':
        this.state = { ...this.state, bold: false, italic: false, struck: false, hidden: false };
        return;
      case 'uc':
        this.state = { ...this.state, skipAfterUnicode: Math.min(Math.max(value ?? 1, 0), 100) };
        return;
      case 'u':
        this.unicode(String.fromCharCode(((value ?? 0) + 0x10000) % 0x10000));
        this.skip = this.state.skipAfterUnicode;
        return;
      default:
        this.paragraphWord(name, value);
    }
  }

  private paragraphWord(name: string, value: number | null): void {
    if (!['text', 'fldrslt', 'note'].includes(this.state.destination)) return;
    switch (name) {
      case 'par':
      case 'sect':
      case 'page':
        return this.blocks.endParagraph(this.state);
      case 'line':
        return this.blocks.add(element('br'));
      case 'pard':
        this.state = { ...this.state, inTable: false, list: null, listLevel: 0, outlineLevel: null, style: null };
        return;
      case 'intbl':
        this.state = { ...this.state, inTable: true };
        return;
      case 'ls':
        this.state = { ...this.state, list: value };
        return;
      case 'ilvl':
        this.state = { ...this.state, listLevel: Math.min(Math.max(value ?? 0, 0), 8) };
        return;
      case 'outlinelevel':
        this.state = { ...this.state, outlineLevel: value };
        return;
      case 's':
        this.state = { ...this.state, style: value };
        return;
      case 'cell':
      case 'nestcell':
        return name === 'cell'
          ? this.blocks.endCell(this.state)
          : this.blocks.endParagraph({ ...this.state, inTable: true });
      case 'row':
        return this.blocks.endRow();
      case 'trowd':
        return this.blocks.beginRow();
      case 'clmrg':
        return this.blocks.mergeAcross();
      case 'clvmrg':
        return this.blocks.mergeDown();
      case 'cellx':
        return this.blocks.defineCell();
      default: {
        const character = Object.hasOwn(characters, name) ? characters[name] : undefined;
        if (character !== undefined) this.text(character);
      }
    }
  }

  private beginNote(): void {
    if (this.outer.length >= notesDepthMax) return this.enter('skipped');
    this.outer.push({ blocks: this.blocks, depth: this.stack.length });
    this.blocks = new RtfBlocks(this.found);
    this.state = { ...initialState, encoding: this.state.encoding, destination: 'note' };
  }

  private endNote(): void {
    const outer = this.outer.pop();
    if (outer === undefined) return;
    const note = this.blocks.finish(initialState);
    this.blocks = outer.blocks;
    this.blocks.addNote(note);
  }
}
