import type { Engine, EngineInput } from '../engine.js';
import { readText } from './read-text.js';
import { separatedRows, UnclosedQuoteError } from './separated-rows.js';
import { sniffDelimiter } from './sniff-delimiter.js';
import { TableRows } from './table-rows.js';

/** The line in which a file for Excel states its delimiter. It is no row. */
const statement = /^"?sep=([^\w\s"]|\t)"?\n/i;

/** Writes one GFM table. */
export const extractCsv: Engine = async (input) => {
  const { text: whole, encoding } = await readText(input);
  const [line = '', stated] = statement.exec(whole) ?? [];
  const text = whole.slice(line.length);
  const delimiter = stated ?? sniffDelimiter(text, input.contentType);
  const rows = readRows(text, delimiter, input);
  const details = {
    encoding,
    delimiter,
    row_count: rows.count,
    column_count: rows.width,
    column_names: rows.names,
  };
  return { markdown: rows.render(), pages: null, pageCount: null, title: null, author: null, language: null, details };
};

function readRows(text: string, delimiter: string, input: EngineInput, hasQuotes = true): TableRows {
  const rows = new TableRows(input.filename, input.limits.outputBytesMax);
  try {
    for (const row of separatedRows(text, delimiter, hasQuotes)) rows.add(row);
    return rows;
  } catch (error) {
    if (error instanceof UnclosedQuoteError) return readRows(text, delimiter, input, false);
    throw error;
  }
}
