/** Finds connected areas of ink. Letters consist of them. */
import type { Ink } from './ink.js';

export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Shape extends PixelBox {
  /** The number of pixels of the area. */
  ink: number;
}

/** Noise and halftones consist of more areas. */
const shapesMax = 60_000;

/** The connected areas of ink. Corners connect, too. Null for a picture with too many areas, because text has fewer. */
export function shapesOf({ width, height, pixels }: Ink): Shape[] | null {
  const shapes = new Shapes();
  let above: Run[] = [];
  for (let y = 0; y < height; y++) {
    const runs: Run[] = [];
    let next = 0;
    for (let x = 0; x < width; x++) {
      if (pixels[y * width + x] !== 1) continue;
      const from = x;
      while (x < width && pixels[y * width + x] === 1) x++;
      const run = { from, to: x, shape: -1 };
      while (next < above.length && (above[next]?.to ?? 0) < from) next++;
      for (let index = next; index < above.length; index++) {
        const other = above[index];
        if (other === undefined || other.from > x) break;
        run.shape = run.shape < 0 ? shapes.root(other.shape) : shapes.join(run.shape, other.shape);
      }
      run.shape = shapes.add(run, y);
      runs.push(run);
    }
    if (shapes.count > shapesMax) return null;
    above = runs;
  }
  return shapes.all();
}

interface Run {
  from: number;
  to: number;
  shape: number;
}

class Shapes {
  count = 0;
  private readonly boxes: Shape[] = [];
  private readonly parents: number[] = [];

  add({ from, to, shape }: Run, y: number): number {
    if (shape < 0) {
      this.boxes.push({ left: from, top: y, right: to, bottom: y + 1, ink: to - from });
      this.parents.push(this.boxes.length - 1);
      this.count++;
      return this.boxes.length - 1;
    }
    const box = this.boxes[shape];
    if (box !== undefined) include(box, { left: from, top: y, right: to, bottom: y + 1, ink: to - from });
    return shape;
  }

  root(shape: number): number {
    let found = shape;
    while (this.parents[found] !== found) {
      const parent = this.parents[found] ?? found;
      this.parents[found] = this.parents[parent] ?? parent;
      found = parent;
    }
    return found;
  }

  join(first: number, second: number): number {
    const [kept, gone] = [this.root(first), this.root(second)];
    if (kept === gone) return kept;
    const [box, other] = [this.boxes[kept], this.boxes[gone]];
    if (box !== undefined && other !== undefined) include(box, other);
    this.parents[gone] = kept;
    this.count--;
    return kept;
  }

  all(): Shape[] {
    return this.boxes.filter((_box, index) => this.parents[index] === index);
  }
}

function include(box: Shape, by: Shape): void {
  box.left = Math.min(box.left, by.left);
  box.top = Math.min(box.top, by.top);
  box.right = Math.max(box.right, by.right);
  box.bottom = Math.max(box.bottom, by.bottom);
  box.ink += by.ink;
}
