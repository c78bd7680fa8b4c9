/** Counts the items of lists as word processors do, and writes their labels. */
import { labelCharactersMax, type List, type ListLevel, levelsOfList } from './list.js';
import { numberText } from './number-text.js';

export class ListCounters {
  /** The last number of each level. Null where the next item begins anew. */
  private readonly sequences = new Map<string, (number | null)[]>();
  private readonly begun = new Set<string>();

  /** The label of the next item of a list: `1.2`, `(a)`. Empty if it has none. */
  next(list: List, level: number): string {
    if (!list.levels.has(level)) return '';
    const numbers = this.count(list, level);
    return labelOf(list, level, numbers);
  }

  private count(list: List, level: number): (number | null)[] {
    const numbers = this.sequences.get(list.sequence) ?? Array.from({ length: levelsOfList }, () => null);
    this.sequences.set(list.sequence, numbers);
    // A level that was left out counts as begun.
    for (let above = 0; above < level; above++) numbers[above] ??= startOf(list, above);
    const last = numbers[level] ?? null;
    const beginsAnew = this.beginsAnew(list, level);
    numbers[level] = last === null || beginsAnew ? startOf(list, level) : last + 1;
    for (const [below, definition] of list.levels)
      if (below > level && restarts(definition, level)) numbers[below] = null;
    return numbers;
  }

  /** Once for each level of a list. */
  private beginsAnew(list: List, level: number): boolean {
    const key = `${level} ${list.id}`;
    if (!list.starts.has(level) || this.begun.has(key)) return false;
    this.begun.add(key);
    return true;
  }
}

function startOf(list: List, level: number): number {
  return list.starts.get(level) ?? list.levels.get(level)?.start ?? 1;
}

function restarts({ restart }: ListLevel, after: number): boolean {
  return restart === null || after < restart;
}

/** The label of an item. `numbers` are the numbers of its level and of the levels above. */
export function labelOf({ levels }: List, level: number, numbers: readonly (number | null)[]): string {
  const definition = levels.get(level);
  if (definition === undefined) return '';
  if (definition.format === 'none' && !definition.label.includes('%')) return definition.label;
  return definition.label
    .replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const format = levels.get(at)?.format ?? 'decimal';
      const isDecimal = definition.isLegal && format !== 'none';
      return at > level ? '' : numberText(numbers[at] ?? 0, isDecimal ? 'decimal' : format);
    })
    .slice(0, labelCharactersMax)
    .trim();
}

/** The number of a label that markdown can write: `3`, `3.`, `3)`. Null for other labels. */
export function plainNumber(label: string): number | null {
  const digits = /^(\d{1,9})[.)]?$/.exec(label)?.[1];
  return digits === undefined ? null : Number(digits);
}
