import type { PageContent, TurnedLine, Word } from '../page-model.js';
import { adoptRows } from './adopt-rows.js';
import { openTables } from './open-table.js';
import { gridsOf, mergeRules } from './rule-grid.js';
import { ruledTable } from './ruled-table.js';
import type { Table } from './table.js';
import { taggedTable, wordsByContentId } from './tagged-table.js';

export interface PageTables {
  tables: Table[];
  /** The words outside of the tables. */
  words: Word[];
  turned: TurnedLine[];
}

/** The tables that a page marks: by tags, by a grid of rules, or by horizontal rules. */
export function markedTables({ words, turned, rules, structure, height }: PageContent): PageTables {
  const tables: Table[] = [];
  const used = new Set<unknown>();
  const claim = (found: { table: Table; words: ReadonlySet<Word> } | null): void => {
    if (found === null) return;
    tables.push(found.table);
    for (const word of found.words) used.add(word);
  };
  const claimWithRows = (found: { table: Table; words: ReadonlySet<Word> } | null): void => {
    claim(found);
    if (found !== null) for (const word of adoptRows(found.table, free())) used.add(word);
  };
  const free = (): Word[] => (used.size === 0 ? words : words.filter((word) => !used.has(word)));
  if (structure !== null && structure.tables.length > 0) {
    const byId = wordsByContentId(words);
    for (const table of structure.tables) claim(taggedTable(table, byId));
  }
  const merged = mergeRules(rules);
  const turnedWords = new Map(turned.map((line) => [asWord(line), line]));
  const loose: typeof merged.horizontal = [];
  for (const grid of gridsOf(merged)) {
    const found = grid.vertical.length === 0 ? null : ruledTable(grid, [...free(), ...turnedWords.keys()]);
    if (found === null) loose.push(...grid.horizontal);
    claimWithRows(found);
  }
  if (loose.length > 1) for (const found of openTables(loose, free(), height)) claimWithRows(found);
  return {
    tables,
    words: free(),
    turned: [...turnedWords].filter(([word]) => !used.has(word)).map(([, line]) => line),
  };
}

/** A turned line as the word of a cell, such as the head of a narrow column. */
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
