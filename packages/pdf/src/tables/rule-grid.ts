/** Joins rules into grids. */
import type { Box, Rule } from '../page-model.js';

/** Rules that are this close count as one: double borders, or the borders of two neighbouring cells. */
const sameRuleMax = 1.8;
/** Pieces of a rule with a smaller gap continue each other. Each cell draws its own borders. */
const pieceGapMax = 3;
/** Rules that miss each other by less than this count as crossing. */
const crossingTolerance = 3;
/** A page with more rules of a direction is a drawing: a map, a plot, a hatched area. */
const rulesMax = 1_000;

export interface RuleSet {
  horizontal: Rule[];
  vertical: Rule[];
}

/** The rules of a page without duplicates. Empty if a table cannot have so many. */
export function mergeRules(rules: readonly Rule[]): RuleSet {
  const horizontal = mergeParallel(rules.filter(({ isHorizontal }) => isHorizontal));
  const vertical = mergeParallel(rules.filter(({ isHorizontal }) => !isHorizontal));
  return horizontal.length > rulesMax || vertical.length > rulesMax
    ? { horizontal: [], vertical: [] }
    : { horizontal, vertical };
}

function mergeParallel(rules: readonly Rule[]): Rule[] {
  const sorted = [...rules].sort((first, second) => first.at - second.at);
  const merged: Rule[] = [];
  let group: Rule[] = [];
  let start = 0;
  const endGroup = (): void => {
    const [first] = group;
    if (first === undefined) return;
    const at = group.reduce((sum, rule) => sum + rule.at, 0) / group.length;
    group.sort((one, other) => one.from - other.from);
    let current: Rule = { ...first, at, from: group[0]?.from ?? first.from, to: group[0]?.to ?? first.to };
    for (const { from, to } of group) {
      if (from > current.to + pieceGapMax) {
        merged.push(current);
        current = { ...current, from, to };
      } else current.to = Math.max(current.to, to);
    }
    merged.push(current);
  };
  for (const rule of sorted) {
    if (group.length > 0 && rule.at - start > sameRuleMax) {
      endGroup();
      group = [];
    }
    if (group.length === 0) start = rule.at;
    group.push(rule);
  }
  endGroup();
  return merged;
}

/** Rules that cross each other, directly or through others. */
export interface Grid extends Box, RuleSet {}

export function gridsOf({ horizontal, vertical }: RuleSet): Grid[] {
  const sets = new DisjointSets(horizontal.length + vertical.length);
  const byPosition = vertical.map((rule, index) => ({ rule, index })).sort((a, b) => a.rule.at - b.rule.at);
  for (const [index, rule] of horizontal.entries())
    for (const crossing of between(byPosition, rule.from - crossingTolerance, rule.to + crossingTolerance))
      if (crosses(crossing.rule, rule.at)) sets.join(index, horizontal.length + crossing.index);
  const grids = new Map<number, Grid>();
  for (const [index, rule] of [...horizontal, ...vertical].entries()) {
    const root = sets.find(index);
    const grid = grids.get(root) ?? {
      left: Infinity,
      top: Infinity,
      right: -Infinity,
      bottom: -Infinity,
      horizontal: [],
      vertical: [],
    };
    grids.set(root, grid);
    (rule.isHorizontal ? grid.horizontal : grid.vertical).push(rule);
    const [left, right, top, bottom] = rule.isHorizontal
      ? [rule.from, rule.to, rule.at, rule.at]
      : [rule.at, rule.at, rule.from, rule.to];
    grid.left = Math.min(grid.left, left);
    grid.right = Math.max(grid.right, right);
    grid.top = Math.min(grid.top, top);
    grid.bottom = Math.max(grid.bottom, bottom);
  }
  return [...grids.values()].sort((first, second) => first.top - second.top);
}

function crosses(rule: Rule, at: number): boolean {
  return at >= rule.from - crossingTolerance && at <= rule.to + crossingTolerance;
}

function* between<Entry extends { rule: Rule }>(sorted: readonly Entry[], from: number, to: number): Generator<Entry> {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.rule.at ?? Infinity) < from) low = middle + 1;
    else high = middle;
  }
  for (let entry = sorted[low]; entry !== undefined && entry.rule.at <= to; entry = sorted[++low]) yield entry;
}

/** Union-find with path halving (Tarjan and van Leeuwen, 1984). */
export class DisjointSets {
  private readonly parents: Int32Array;

  constructor(size: number) {
    this.parents = Int32Array.from({ length: size }, (_, index) => index);
  }

  find(index: number): number {
    const { parents } = this;
    let at = index;
    for (;;) {
      const parent = parents[at] ?? at;
      if (parent === at) return at;
      parents[at] = parents[parent] ?? parent;
      at = parents[at] ?? at;
    }
  }

  /** The smaller root stays the root. */
  join(first: number, second: number): void {
    const [one, other] = [this.find(first), this.find(second)];
    this.parents[Math.max(one, other)] = Math.min(one, other);
  }
}
