/** Builds one line of inline markdown. White space collapses. Marks enclose text, without white space at its ends. */
import { codeSpan, escapeInline } from '@kiln/pdf/markdown/escape-markdown';

export type Mark = '*' | '**' | '~~' | '[';

const letterOrDigit = /^[\p{L}\p{N}]/u;

export class LineBuffer {
  private parts: string[] = [];
  /** Text that is not escaped yet, because escaping depends on the next characters. */
  private raw = '';
  private codeText = '';
  private space = false;
  /** Open marks, outermost first. A mark that repeats an outer one is not written. */
  private marks: { mark: Mark; isWritten: boolean; isRepeated: boolean }[] = [];
  /** Marks that were closed since the last text. */
  private justClosed: string[] = [];

  /** Whether the last part was a formula, which ends with a dollar sign. */
  private isAfterFormula = false;

  constructor(private readonly options: { isCell: boolean; hasFormulas: boolean }) {}

  get isEmpty(): boolean {
    return this.parts.length === 0 && this.raw === '' && this.codeText === '';
  }

  get isInLink(): boolean {
    return this.marks.some(({ mark }) => mark === '[');
  }

  /** Whether a digit that is written now would continue a number. */
  get endsWithDigit(): boolean {
    const end = this.raw || this.codeText || this.parts.slice(-2).join('').slice(-8);
    return !this.space && /\p{Nd}[*~`]*$/u.test(end);
  }

  /** Takes text in which runs of white space have been replaced by single spaces. */
  text(text: string): void {
    if (text.startsWith(' ')) this.space = true;
    const core = text.trim();
    if (core === '') return;
    if (this.isAfterFormula && letterOrDigit.test(core)) this.space = true;
    this.begin('text');
    this.raw += core;
    this.space = text.endsWith(' ');
  }

  code(text: string): void {
    if (text === '') return;
    // A bar ends the cell, and parsers differ on how to escape it in a code span.
    if (this.options.isCell && text.includes('|')) return this.text(text);
    this.begin('code');
    this.codeText += text;
  }

  markup(markup: string): void {
    if (markup === '') return;
    this.begin('markup');
    if (markup.startsWith('[')) this.escapeExclamation();
    this.parts.push(markup);
  }

  /** Takes LaTeX with its dollar signs. Programs find it only if no letter or digit is beside it. */
  formula(latex: string): void {
    const before = this.raw === '' ? (this.parts.at(-1) ?? '') : this.raw;
    if (this.isAfterFormula || /[\p{L}\p{N}$]$/u.test(before.slice(-2))) this.space = true;
    this.begin('markup');
    this.parts.push(latex);
    this.isAfterFormula = true;
  }

  open(mark: Mark): void {
    this.marks.push({ mark, isWritten: false, isRepeated: this.marks.some((outer) => outer.mark === mark) });
  }

  /** Writes `ending` instead of the mark, for example the target of a link. */
  close(mark: Mark, ending: string = mark): void {
    const closed = this.marks.pop();
    if (closed?.isWritten !== true) return;
    this.finishText();
    this.parts.push(ending);
    if (ending === mark) this.justClosed.push(mark);
    else this.justClosed = [];
  }

  /** Returns the line and begins a new one. Open marks stay open. */
  take(): string {
    this.finishText();
    const line = this.parts.join('');
    this.parts = [];
    this.justClosed = [];
    this.space = false;
    this.isAfterFormula = false;
    return line;
  }

  /** Returns the line with all marks closed. They are opened again before the next text. */
  interrupt(): string {
    this.finishText();
    for (const open of this.marks.toReversed()) {
      if (open.isWritten) this.parts.push(open.mark === '[' ? ']' : open.mark);
      open.isWritten = false;
    }
    return this.take();
  }

  private begin(kind: 'text' | 'code' | 'markup'): void {
    const isFirst = this.isEmpty;
    const opening = this.marks.filter(({ isWritten, isRepeated }) => !isWritten && !isRepeated);
    const hasSpace = this.space && !isFirst;
    this.space = false;
    this.isAfterFormula = false;
    if (opening.length === 0 && kind === 'text' && this.codeText === '' && this.justClosed.length === 0) {
      if (hasSpace) this.raw += ' ';
      return;
    }
    const continuesCode = kind === 'code' && this.codeText !== '' && opening.length === 0 && !hasSpace;
    if (continuesCode) return;
    this.finishText();
    for (const open of opening) if (this.reopens(open.mark)) open.isWritten = true;
    if (hasSpace) this.parts.push(' ');
    for (const open of opening) {
      if (open.isWritten) continue;
      if (open.mark === '[') this.escapeExclamation();
      this.parts.push(open.mark);
      open.isWritten = true;
    }
    this.justClosed = [];
  }

  /** Removes the closing mark instead of writing an opening one right after it: markdown cannot express `****`. */
  private reopens(mark: Mark): boolean {
    if (this.justClosed.at(-1) !== mark) return false;
    this.justClosed.pop();
    this.parts.pop();
    return true;
  }

  /** Escapes an exclamation mark before a link, which would make it an image. */
  private escapeExclamation(): void {
    const last = this.parts.at(-1);
    if (last?.endsWith('!') === true) this.parts[this.parts.length - 1] = `${last.slice(0, -1)}\\!`;
  }

  private finishText(): void {
    if (this.raw !== '') {
      let escaped = escapeInline(this.raw);
      if (this.options.isCell) escaped = escaped.replaceAll('|', '\\|');
      if (this.options.hasFormulas) escaped = escaped.replaceAll('$', '\\$');
      this.parts.push(escaped);
      this.raw = '';
      this.justClosed = [];
    }
    if (this.codeText !== '') {
      this.parts.push(codeSpan(this.codeText));
      this.codeText = '';
      this.justClosed = [];
    }
  }
}
