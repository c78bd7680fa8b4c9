/** Walks the groups of an RTF file and passes its text on. */
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { withWindowsCharacters } from '../charset/decode-text.js';
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
import { characterOf, stateAfter } from './rtf-formatting.js';
import { RtfTableReader, tableDestinations } from './rtf-table-reader.js';
import { type RtfToken, rtfTokens } from './rtf-tokens.js';

const depthMax = 1000;
const notesDepthMax = 4;
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
  /** The blocks around the open note. */
  private readonly outer: { blocks: RtfBlocks; depth: number }[] = [];

  constructor(
    private readonly found: RtfTables,
    private readonly filename: string,
    private blocks = new RtfBlocks(found),
  ) {
    this.tables = new RtfTableReader(found);
  }

  read(rtf: string): HtmlElement[] {
    for (const token of rtfTokens(rtf)) this.take(token);
    this.flush();
    while (this.outer.length > 0) this.endNote();
    return this.blocks.finish(this.state);
  }

  private take(token: RtfToken): void {
    if (token.kind === 'bytes') return this.bytes(token.bytes);
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

  private bytes(bytes: Buffer): void {
    const skipped = Math.min(this.skip, bytes.length);
    this.skip -= skipped;
    const rest = bytes.subarray(skipped);
    if (rest.length === 0) return;
    this.pending.push(rest);
    this.isOptional = false;
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

  /** A character beyond U+FFFF is written as two units. */
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
    if (name === 'footnote' || name === 'annotation') return this.beginNote();
    if (tableDestinations.has(this.state.destination) && this.tables.word(this.state.destination, name, value)) return;
    this.formatWord(name, value);
  }

  private enter(destination: string): void {
    this.state = { ...this.state, destination };
  }

  private formatWord(name: string, value: number | null): void {
    const changed = stateAfter(this.state, name, value, this.found.fonts);
    if (changed !== null) {
      this.state = changed;
    } else if (name === 'ansicpg') {
      this.documentEncoding = encodingOfCodePage(value ?? 0);
      this.state = { ...this.state, encoding: '' };
    } else if (name === 'fcharset') {
      this.tables.fontEncoding(encodingOfCharset(value ?? 0) ?? '');
    } else if (name === 'u') {
      this.unicode(String.fromCharCode(((value ?? 0) + 0x10000) % 0x10000));
      this.skip = this.state.skipAfterUnicode;
    } else if (['text', 'fldrslt', 'note'].includes(this.state.destination)) {
      this.layoutWord(name);
    }
  }

  private layoutWord(name: string): void {
    switch (name) {
      case 'par':
      case 'sect':
      case 'page':
        return this.blocks.endParagraph(this.state);
      case 'line':
        return this.blocks.add(element('br'));
      case 'cell':
        return this.blocks.endCell(this.state);
      case 'nestcell':
        return this.blocks.endParagraph({ ...this.state, inTable: true });
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
        const character = characterOf(name);
        if (character === null) return;
        // The control word of a character can also be the substitute of a Unicode character.
        if (this.skip > 0) this.skip--;
        else this.text(character);
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
