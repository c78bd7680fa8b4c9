/** Finds how deep the items of lists are nested. Word states only the level of each item, and levels can be missing. */
export class ListDepth {
  /** The levels of the open lists, for the text and for each table cell or text box around the current paragraph. */
  private readonly containers: number[][] = [[]];

  /** From 0 */
  next(level: number): number {
    const open = this.containers.at(-1) ?? [];
    while ((open.at(-1) ?? -1) > level) open.pop();
    if (open.at(-1) !== level) open.push(level);
    return open.length - 1;
  }

  /** The depth of the item that a paragraph continues, from 0. Null if it continues none. */
  continued(level: number): number | null {
    const open = this.containers.at(-1) ?? [];
    while ((open.at(-1) ?? -1) > level) open.pop();
    return open.length === 0 ? null : open.length - 1;
  }

  /** Ends the lists: a paragraph or table that is no item follows. */
  interrupt(): void {
    this.containers[this.containers.length - 1] = [];
  }

  enter(): void {
    this.containers.push([]);
  }

  leave(): void {
    if (this.containers.length > 1) this.containers.pop();
  }
}
