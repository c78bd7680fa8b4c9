import type { Schemas } from '@kiln/sdk';
import { Option } from 'commander';
import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import { highlighted, markedSnippet, plainSnippet } from '../../terminal/snippet.js';
import type { Column } from '../../terminal/table.js';
import { cleanLine } from '../../terminal/clean.js';
import { paint } from '../../terminal/paint.js';
import type { Channel } from '../../terminal/terminal.js';
import { wrap } from '../../terminal/wrap.js';
import { collectPairs, integer, spaceOf, withOutput } from '../options.js';

interface Options extends OutputOptions {
  space?: string;
  metadata?: Record<string, string>;
  limit: number;
  mode?: Exclude<Schemas['SearchRequest']['mode'], undefined>;
  chunks?: boolean;
}

const columns: readonly Column[] = [
  { field: 'file_id', title: 'FILE', isExtra: true },
  { field: 'score', title: 'SCORE', kind: 'number' },
  { field: 'filename', title: 'NAME' },
  { field: 'page', title: 'PAGE', kind: 'number' },
  { field: 'snippet', title: 'TEXT' },
  { field: 'text', title: 'WHOLE TEXT', isExtra: true },
  { field: 'headings', title: 'HEADINGS', isExtra: true },
  { field: 'chunk_index', title: 'CHUNK', kind: 'number', isExtra: true },
  { field: 'space', title: 'SPACE', isExtra: true },
  { field: 'metadata', title: 'METADATA', isExtra: true },
  { field: 'created_at', title: 'CREATED', kind: 'time', isExtra: true },
];

export const define: Define = (command, use) =>
  void withOutput(command, columns)
    .argument('<words...>', 'what to search')
    .option('--space <name>', 'files of this space')
    .option('--metadata <key=value>', 'files with this metadata, several times', collectPairs)
    .option('--limit <count>', 'at most so many results', integer(1, 100), 10)
    .addOption(new Option('--mode <mode>', 'by words, by meaning, or both').choices(['text', 'vector', 'hybrid']))
    .option('--chunks', 'several places of a file')
    .action(use(search));

async function search(context: Context, words: string[], options: Options): Promise<void> {
  const output = context.output(columns, options);
  const { metadata, limit, mode, chunks } = options;
  const space = await spaceOf(context, options.space);
  const request: Schemas['SearchRequest'] = {
    query: words.join(' '),
    limit,
    ...(space !== undefined && { space }),
    ...(metadata && { metadata }),
    ...(mode && { mode }),
    ...(chunks === true && { group: 'chunk' }),
  };
  const { results, not_served: missing = [] } = await (
    await context.kiln()
  ).search.query(request, { signal: context.signal });
  const { out, err } = context.terminal;
  if (out.isTerminal && !output.isJson && !output.isChosen) for (const result of results) writeResult(out, result);
  else await output.rows(output.isJson ? results : results.map((result) => plain(result)));
  if (results.length === 0 && err.isTerminal) context.talk('Nothing found.');
  for (const { part, reason, message } of missing)
    if (reason === 'failed') context.talk(`The ${part} part of the search did not take part: ${message}`);
}

type Result = Schemas['SearchResult'];

const plain = (result: Result) => ({
  ...result,
  score: result.score.toFixed(3),
  snippet: plainSnippet(result.snippet),
});

/** The file and its place, and below them the text. */
function writeResult(out: Channel, { filename, file_id: id, page, snippet }: Result): void {
  const place = page === null || page === undefined ? '' : `, page ${page}`;
  out.write(`${paint(out, 'bold', cleanLine(filename ?? id))}${place}  ${paint(out, 'dim', id)}\n`);
  for (const line of wrap(cleanLine(markedSnippet(snippet)), out.columns - 4))
    out.write(`    ${highlighted(line, (text) => paint(out, 'yellow', text))}\n`);
}
