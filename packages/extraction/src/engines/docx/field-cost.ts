/**
 * How much text the library reads to understand the fields of a document, in characters. A field is a run of marks
 * (begin, separate, end) with its instruction between them; fields may lie inside each other.
 */
const openFieldsMax = 64;
/** What may be read, as a multiple of the part: an instruction is normally read once. */
const readsMax = 16;
const freeCharacters = 1_000_000;

export class FieldCost {
  /** For each open field, whether its instruction is read again at its next mark. */
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
    // A run of white space is read again from each of its characters.
    for (const [run] of text.replace(/&#\w{1,8};/g, ' ').matchAll(/\s+|\S+/g)) {
      this.instructionSpaces = run.trim() === '' ? this.instructionSpaces + run.length : 0;
      this.instruction += run.length * (1 + this.instructionSpaces);
    }
  }
}
