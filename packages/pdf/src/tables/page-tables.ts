import type { PageContent, Rule, TurnedLine, Word } from '../page-model.js';
import { adoptRows } from './adopt-rows.js';
import { openTables } from './open-table.js';
import { gridsOf, mergeRules } from './rule-grid.js';
import { ruledTable } from './ruled-table.js';
import type { Table } from './table.js';
import { taggedTable, wordsByContentId } from './tagged-table.js';

export interface PageTables {
  tables: Table[];
  /** Words that belong to no table. */
  words: Word[];
  turned: TurnedLine[];
  wordsOfTables: ReadonlyMap<Table, readonly Word[]>;
}

/** A page with more grids is a drawing. */
const gridsMax = 100;

/** The tables that a page marks by tags, by a grid of rules, or by horizontal rules. */
export function markedTables({ words, turned, rules, structure, height }: PageContent): PageTables {
  const turnedWords = new Map(turned.map((line) => [asWord(line), line]));
  const claims = new Claims([...words, ...turnedWords.keys()]);
  if (structure !== null && structure.tables.length > 0) {
    const byId = wordsByContentId(words);
    for (const table of structure.tables) claims.add(taggedTable(table, byId));
  }
  const grids = gridsOf(mergeRules(rules));
  const loose: Rule[] = [];
  for (const grid of grids.length > gridsMax ? [] : grids) {
    const found = grid.vertical.length === 0 ? null : ruledTable(grid, claims.free);
    if (found === null) loose.push(...grid.horizontal);
    else claims.addWithRows(found);
  }
  if (loose.length > 1) {
    const upright = claims.free.filter((word) => !turnedWords.has(word));
    for (const found of openTables(loose, upright, height)) claims.addWithRows(found);
  }
  return {
    tables: claims.tables,
    words: claims.free.filter((word) => !turnedWords.has(word)),
    turned: claims.free.flatMap((word) => turnedWords.get(word) ?? []),
    wordsOfTables: claims.wordsOfTables,
  };
}

interface FoundTable {
  table: Table;
  words: ReadonlySet<Word>;
}

/** The tables of a page, and the words outside of them. */
class Claims {
  readonly tables: Table[] = [];
  readonly wordsOfTables = new Map<Table, Word[]>();

  constructor(public free: readonly Word[]) {}

  add(found: FoundTable | null): void {
    if (found === null) return;
    this.tables.push(found.table);
    this.take(found.table, found.words);
  }

  addWithRows(found: FoundTable): void {
    this.add(found);
    this.take(found.table, adoptRows(found.table, this.free));
  }

  private take(table: Table, words: ReadonlySet<Word>): void {
    this.wordsOfTables.set(table, [...(this.wordsOfTables.get(table) ?? []), ...words]);
    if (words.size > 0) this.free = this.free.filter((word) => !words.has(word));
  }
}

/** A turned line becomes one word of a cell, such as the head of a narrow column. */
function asWord({ text, size, order, ...box }: TurnedLine): Word {
  return {
    ...box,
    text: text.trim(),
    baseline: box.bottom,
    size,
    order,
    style: { font: '', isBold: false, isItalic: false, isMono: false },
    isGlued: false,
    link: null,
    contentId: -1,
  };
}
