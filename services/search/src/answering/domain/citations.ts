// Rewrites the citations in an answer while it is written. An answer cites excerpts by the numbers in its prompt. The cited excerpts get
// new numbers, 1, 2, 3, in the order of their first citation. All other citations are removed.

/** `[1]`, `[1, 2]`, `[2-4]`, and forms that models use against their instructions: `[^1]`, `[Source 1]`, `【1】`. */
const CITATION =
  /^[[【]\s*(?:\^|#|sources?)?\s*(\d{1,4}(?:\s*[-–]\s*\d{1,4})?(?:\s*[,;]\s*\d{1,4}(?:\s*[-–]\s*\d{1,4})?)*)\s*[\]】]$/i;
const OPENING = /[[【]/;
const CLOSING = /[\]】]/;
/** A longer bracket is not a citation. */
const CITATION_CHARACTERS_MAX = 40;
const TRAILING_SPACE = /\s+$/;

export class CitationRewriter {
  /** The positions of the cited excerpts, in the order of their new numbers. */
  readonly cited: number[] = [];
  /** The undecided end of the text: white space that may precede a citation, and the beginning of a citation. */
  private held = '';
  private hasBegun = false;
  /** The end of the shown text, since the last citation in it. */
  private tail = '';

  constructor(private readonly excerptCount: number) {}

  /** Returns the text that can be shown after this piece. */
  add(piece: string): string {
    this.held += piece;
    return this.take(false);
  }

  /** Returns the rest of the answer. */
  end(): string {
    return this.take(true).replace(TRAILING_SPACE, '');
  }

  private take(isLast: boolean): string {
    let shown = '';
    for (;;) {
      const opening = this.held.search(OPENING);
      if (opening < 0) return this.begin(shown + this.release(isLast));
      const bracket = this.held.slice(opening);
      const closing = bracket.search(CLOSING);
      if (closing < 0 && bracket.length < CITATION_CHARACTERS_MAX && !isLast) {
        return this.begin(shown + this.releaseBefore(opening));
      }
      const before = this.held.slice(0, opening);
      const numbers = closing < 0 ? null : this.numbersOf(bracket.slice(0, closing + 1));
      if (numbers === null) {
        shown += this.literal(before + bracket.charAt(0));
        this.held = bracket.slice(1);
      } else {
        const isRemoved = numbers.length === 0;
        shown += this.literal(isRemoved ? before.replace(TRAILING_SPACE, '') : before);
        shown += numbers.map((number) => `[${number}]`).join('');
        if (!isRemoved) this.tail = '';
        this.held = bracket.slice(closing + 1);
      }
    }
  }

  /** The new numbers of a citation. Null when the bracket is not a citation. */
  private numbersOf(bracket: string): number[] | null {
    const list = CITATION.exec(bracket)?.[1];
    if (list === undefined) return null;
    const positions = list.split(/[,;]/).flatMap((part) => {
      const [first = NaN, last = first] = part.split(/[-–]/).map(Number);
      return Array.from({ length: this.excerptCount }, (_, position) => position).filter(
        (position) => position + 1 >= first && position + 1 <= last,
      );
    });
    return [...new Set(positions)].map((position) => this.numberOf(position));
  }

  private numberOf(position: number): number {
    const known = this.cited.indexOf(position);
    return known >= 0 ? known + 1 : this.cited.push(position);
  }

  private release(isLast: boolean): string {
    return this.releaseBefore(isLast ? this.held.length : this.held.search(TRAILING_SPACE));
  }

  /** Everything before `end` except white space at its end. */
  private releaseBefore(end: number): string {
    const before = end < 0 ? this.held : this.held.slice(0, end);
    const shown = before.replace(TRAILING_SPACE, '');
    this.held = this.held.slice(shown.length);
    return this.literal(shown);
  }

  /** Text that is not a citation. The rest of a removed citation, as in `[2[9]]`, must not become one. */
  private literal(text: string): string {
    if (!CLOSING.test(text) && !OPENING.test(text + this.tail)) return text;
    let shown = '';
    for (const character of text) {
      const opening = Math.max(this.tail.lastIndexOf('['), this.tail.lastIndexOf('【'));
      if (CLOSING.test(character) && opening >= 0 && CITATION.test(this.tail.slice(opening) + character)) continue;
      this.tail = (this.tail + character).slice(-CITATION_CHARACTERS_MAX);
      shown += character;
    }
    return shown;
  }

  /** An answer does not begin with white space, for example where a citation was removed. */
  private begin(shown: string): string {
    if (this.hasBegun) return shown;
    const text = shown.trimStart();
    this.hasBegun = text !== '';
    return text;
  }
}
