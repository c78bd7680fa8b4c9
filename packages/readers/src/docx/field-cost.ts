/**
 * Counts the characters that mammoth reads to interpret the fields of a document. A field consists of marks (begin,
 * separate, end) with an instruction between them. Fields can be nested, and mammoth may read an instruction again at
 * each mark.
 */
const openFieldsMax = 64;
/** The maximum of characters read, as a multiple of the part's length. Normally each instruction is read once. */
const readsMax = 16;
const freeCharacters = 1_000_000;

export class FieldCost {
  /** For each open field, whether its next mark causes another reading of the instruction. */
  private readonly open: boolean[] = [];
  private instruction = 0;
  private instructionSpaces = 0;
  private cost = 0;
  private readonly costMax: number;

  constructor(partCharacters: number) {
    this.costMax = partCharacters * readsMax + freeCharacters;
  }

  get isTooHigh(): boolean {
    return this.open.length > openFieldsMax || this.cost > this.costMax;
  }

  element(local: string, mark: string): void {
    if (local !== 'fldChar') return;
    if (mark === 'begin') {
      this.open.push(true);
      this.instruction = 0;
      this.instructionSpaces = 0;
    } else if (mark === 'separate' || mark === 'end') {
      const isUnread = mark === 'end' ? this.open.pop() : this.open.length > 0;
      if (isUnread === true) this.cost += this.instruction;
      if (mark === 'separate' && this.open.length > 0) this.open[this.open.length - 1] = false;
    }
  }

  text(text: string, element: string): void {
    if (!element.endsWith('instrText')) return;
    // A pattern in mammoth restarts at each character of a run of white space.
    for (const [run] of text.replace(/&#\w{1,8};/g, ' ').matchAll(/\s+|\S+/g)) {
      this.instructionSpaces = run.trim() === '' ? this.instructionSpaces + run.length : 0;
      this.instruction += run.length * (1 + this.instructionSpaces);
    }
  }
}
