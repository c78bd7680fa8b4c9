import { escapeHeadingEnd, escapeLineStart, fencedBlock } from './escape-markdown.js';
import { markdownTable } from './markdown-table.js';
import type { Block, TextBlock } from '../layout/block.js';
import { ListItems } from './list-items.js';

/** Rows that continue the table of the page before. */
export function tableRows(rows: readonly string[][]): string {
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The markdown of the blocks of a page. */
export function writeBlocks(blocks: readonly Block[], levels: ReadonlyMap<TextBlock, number>): string {
  const parts: string[] = [];
  const list = new ListItems();
  let code: string[] = [];
  const endCode = (): void => {
    if (code.length === 0) return;
    parts.push(fencedBlock(unindented(code).join('\n'), '').trimEnd());
    code = [];
  };
  for (const block of blocks) {
    const level = block.kind === 'text' ? levels.get(block) : undefined;
    if (block.kind === 'text' && block.code !== null && level === undefined) {
      if (code.length > 0) code.push('');
      code.push(...block.code);
      list.end();
      continue;
    }
    endCode();
    const item = block.kind === 'text' && level === undefined ? list.write(block) : null;
    if (item?.continues === true) parts.push(`${parts.pop() ?? ''}\n${item.markdown}`);
    else if (item !== null) parts.push(item.markdown);
    else if (block.kind === 'text' && level === undefined) parts.push(paragraph(block.markdown));
    else {
      list.end();
      parts.push(block.kind === 'table' ? markdownTable(block.table.rows) : heading(block.markdown, level ?? 1));
    }
  }
  endCode();
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Removes the spaces that all lines begin with. */
function unindented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  const common = indents.reduce((least, indent) => Math.min(least, indent), Infinity);
  return lines.map((line) => line.slice(common));
}

function heading(markdown: string, level: number): string {
  return `${'#'.repeat(level)} ${escapeHeadingEnd(markdown.replace(/\s+/g, ' ').trim())}`;
}

function paragraph(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => escapeLineStart(line.trim()))
    .join('\n');
}
