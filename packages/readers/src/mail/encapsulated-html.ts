/** Finds the HTML that Outlook keeps within Rich Text Format ([MS-OXRTFEX]). The work is linear. */
import { encodingOfCharset, encodingOfCodePage } from '../rtf/rtf-charsets.js';
import { skippedDestinations } from '../rtf/rtf-document.js';
import { characterOf } from '../rtf/rtf-formatting.js';
import { type RtfToken, rtfTokens } from '../rtf/rtf-tokens.js';

/** The word that announces the HTML is among the first words. */
const announcement = /^\s*\{\\rtf1?(?:\\\w{1,32}\s*){0,16}\\fromhtml1/;
const otherDestinations = new Set(['stylesheet', 'info', 'listtable', 'listoverridetable', 'pntext', 'listtext']);

interface Group {
  /** `markup` holds tags of the HTML, `text` holds the text between them. */
  place: 'text' | 'markup' | 'fonts' | 'skipped';
  /** Whether the text is meant only for programs without HTML. */
  isForRtf: boolean;
  encoding: string;
  charactersToSkip: number;
}

/** Null when the RTF was not made of HTML. `rtf` has one character for each byte. */
export function encapsulatedHtml(rtf: string): string | null {
  return announcement.test(rtf.slice(0, 1000)) ? new Encapsulation().read(rtf) : null;
}

class Encapsulation {
  private group: Group = { place: 'text', isForRtf: false, encoding: '', charactersToSkip: 1 };
  private readonly around: Group[] = [];
  private readonly html: string[] = [];
  private readonly fonts = new Map<number, string>();
  private font = 0;
  private documentEncoding = 'windows-1252';
  private bytes: Buffer[] = [];
  private skip = 0;
  private isOptional = false;

  read(rtf: string): string {
    for (const token of rtfTokens(rtf)) this.take(token);
    this.decode();
    return this.html.join('');
  }

  private take(token: RtfToken): void {
    if (token.kind === 'bytes') {
      const skipped = Math.min(this.skip, token.bytes.length);
      this.skip -= skipped;
      this.bytes.push(token.bytes.subarray(skipped));
      return;
    }
    this.decode();
    if (token.kind === 'word') return this.word(token.name, token.value);
    this.isOptional = false;
    this.skip = 0;
    if (token.kind === 'close') this.group = this.around.pop() ?? this.group;
    else this.around.push(this.group);
  }

  /** Bytes are decoded together, because characters of some sets have two. */
  private decode(): void {
    if (this.bytes.length === 0) return;
    const bytes = Buffer.concat(this.bytes);
    this.bytes = [];
    this.put(new TextDecoder(this.group.encoding || this.documentEncoding).decode(bytes));
  }

  private put(text: string): void {
    const { place, isForRtf } = this.group;
    if (place === 'markup' || (place === 'text' && !isForRtf)) this.html.push(text);
  }

  private word(name: string, value: number | null): void {
    const { isOptional } = this;
    this.isOptional = name === '*';
    if (this.isOptional || this.group.place === 'skipped') return;
    if (isOptional) this.change({ place: name === 'htmltag' ? 'markup' : 'skipped' });
    else if (name === 'fonttbl') this.change({ place: 'fonts' });
    else if (skippedDestinations.has(name) || otherDestinations.has(name)) this.change({ place: 'skipped' });
    else if (name === 'htmlrtf') this.change({ isForRtf: value !== 0 });
    else if (name === 'ansicpg') this.documentEncoding = encodingOfCodePage(value ?? 0);
    else if (name === 'f') this.selectFont(value ?? 0);
    else if (name === 'fcharset') this.fonts.set(this.font, encodingOfCharset(value ?? 0) ?? '');
    else if (name === 'uc') this.change({ charactersToSkip: Math.min(Math.max(value ?? 1, 0), 100) });
    else if (name === 'u') {
      this.put(String.fromCharCode(((value ?? 0) + 0x10000) % 0x10000));
      this.skip = this.group.charactersToSkip;
    } else this.put(name === 'par' || name === 'line' ? '\n' : name === 'tab' ? '\t' : (characterOf(name) ?? ''));
  }

  private selectFont(font: number): void {
    this.font = font;
    this.change({ encoding: this.fonts.get(font) ?? '' });
  }

  private change(changed: Partial<Group>): void {
    this.group = { ...this.group, ...changed };
  }
}
