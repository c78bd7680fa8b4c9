import { escapeHeadingEnd, escapeLineStart, fencedBlock } from './escape-markdown.js';
import { markdownTable } from './markdown-table.js';
import type { Block, TextBlock } from '../layout/block.js';
import { listMark } from '../layout/list-mark.js';

/** Rows that continue the table of the page before. */
export function tableRows(rows: readonly string[][]): string {
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The markdown of the blocks of a page. */
export function writeBlocks(blocks: readonly Block[], levels: ReadonlyMap<TextBlock, number>): string {
  const parts: string[] = [];
  let listKind = '';
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
      listKind = '';
      continue;
    }
    endCode();
    if (block.kind === 'table') parts.push(markdownTable(block.table.rows));
    else if (level !== undefined) parts.push(heading(block.markdown, level));
    else {
      const item = listItem(block.markdown);
      const kind = item === null ? '' : item.startsWith('-') ? 'bullets' : 'numbers';
      if (item !== null && kind === listKind) parts.push(`${parts.pop() ?? ''}\n${item}`);
      else parts.push(item ?? paragraph(block.markdown));
      listKind = kind;
      continue;
    }
    listKind = '';
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

/** A list item with its further lines indented. Null for other text. */
function listItem(markdown: string): string | null {
  // The mark may be escaped.
  const text = markdown.replace(/^\\(?=[*_-])/, '');
  const mark = listMark(text);
  if (mark === null) return null;
  const indent = ' '.repeat(mark.markdown.length + 1);
  const lines = text
    .slice(mark.length)
    .split('\n')
    .map((line) => escapeLineStart(line.trim()));
  return `${mark.markdown} ${lines.join(`\n${indent}`)}`;
}

function paragraph(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => escapeLineStart(line.trim()))
    .join('\n');
}
