// Divides the answer of a model into statements while it is written: sentences, each with the citations in it and directly after it.
import { maskCitations } from './citations.js';
import { segmentsOf } from './sentence-segments.js';

/** The rules for sentence boundaries ignore format characters (Unicode Annex 29), so a citation belongs to the sentence before it. */
const MASK = '\u2060';
/** A citation whose end may not have been read. */
const OPEN_CITATION = /[[【][^\]】]{0,39}$/;
/** A line break before a lower-case letter is within a sentence. */
const LINE_BREAK_IN_SENTENCE = /\n(?=\p{Ll})/gu;
/** What follows a boundary can remove the boundary, until one of these has been read. A line break may be within a sentence. */
const DECIDING = /[\p{L}.!?。！？]|\n[^\p{Ll}]/u;

/** Unlike those of other scripts, these end a sentence only before white space: an address may contain them. */
const NO_END = /[.!?][^\s。！？।]*$/;

/** A longer statement is divided, so that each piece of an answer takes bounded time. */
const STATEMENT_CHARACTERS_MAX = 4_000;
/** Without one of these, a text of any length is one statement. */
const END = /[\n.!?。！？।؟]/u;

export class StatementReader {
  private held = '';

  /** Returns the statements that are complete after this piece, with the white space after them. */
  add(piece: string): string[] {
    this.held += piece;
    if (!END.test(this.held) && this.held.length <= STATEMENT_CHARACTERS_MAX) return [];
    const lengths = lengthsOf(this.held.replace(OPEN_CITATION, ''));
    const following = this.held.slice(sum(lengths.slice(0, -1)));
    lengths.pop();
    if (!DECIDING.test(maskCitations(following.replace(OPEN_CITATION, ''), MASK))) lengths.pop();
    return this.take(lengths);
  }

  /** Returns the rest of the answer, whose last statement may be incomplete. */
  end(): string[] {
    return this.take(lengthsOf(this.held));
  }

  private take(lengths: readonly number[]): string[] {
    return lengths.map((length) => {
      const statement = this.held.slice(0, length);
      this.held = this.held.slice(length);
      return statement;
    });
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

function lengthsOf(text: string): number[] {
  const masked = maskCitations(text, MASK).replace(LINE_BREAK_IN_SENTENCE, ' ');
  const statements: string[] = [];
  for (const segment of segmentsOf(masked)) {
    const isOpen = NO_END.test(statements.at(-1) ?? '');
    statements.push(isOpen ? `${statements.pop() ?? ''}${segment}` : segment);
  }
  return statements.flatMap(({ length }) => divided(length));
}

function divided(length: number): number[] {
  const whole = Math.ceil(length / STATEMENT_CHARACTERS_MAX) - 1;
  return [...Array.from({ length: whole }, () => STATEMENT_CHARACTERS_MAX), length - whole * STATEMENT_CHARACTERS_MAX];
}
