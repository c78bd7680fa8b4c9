import type { Schemas } from '@kiln/sdk';
import type { Context, Define } from '../../context.js';
import { CommandFailure } from '../../exit-codes.js';
import { cleanLine, cleanText } from '../../terminal/clean.js';
import type { Output, OutputOptions } from '../../terminal/output.js';
import { paint } from '../../terminal/paint.js';
import type { Column } from '../../terminal/table.js';
import { wrap } from '../../terminal/wrap.js';
import { collectPairs, spaceOf, withOutput } from '../options.js';

interface Options extends OutputOptions {
  space?: string;
  metadata?: Record<string, string>;
}

type Question = Omit<Schemas['QuestionRequest'], 'stream'>;
type Sources = Extract<Schemas['AnswerEvent'], { type: 'sources' }>;

const columns: readonly Column[] = [
  { field: 'question', title: 'QUESTION' },
  { field: 'answer', title: 'ANSWER' },
  { field: 'sources', title: 'SOURCES' },
  { field: 'citations', title: 'CITATIONS' },
  { field: 'omitted_statements', title: 'OMITTED', kind: 'number' },
  { field: 'truncated', title: 'CUT OFF' },
  { field: 'model', title: 'MODEL' },
  { field: 'usage', title: 'USAGE' },
];

export const define: Define = (command, use) =>
  void withOutput(command, columns)
    .argument('<words...>', 'the question')
    .option('--space <name>', 'from files of this space')
    .option('--metadata <key=value>', 'from files with this metadata, several times', collectPairs)
    .action(use(ask));

async function ask(context: Context, words: string[], options: Options): Promise<void> {
  const output = context.output(columns, options);
  const space = await spaceOf(context, options.space);
  const { metadata } = options;
  const question: Question = {
    question: words.join(' '),
    ...(space !== undefined && { space }),
    ...(metadata && { metadata }),
  };
  return output.isJson || options.fields !== undefined
    ? askAtOnce(context, output, question)
    : askStreaming(context, question);
}

async function askAtOnce(context: Context, output: Output, question: Question): Promise<void> {
  const kiln = await context.kiln();
  output.object(await kiln.search.ask(question, { signal: context.signal }));
}

/** The answer appears as it arrives, then its sources. */
async function askStreaming(context: Context, question: Question): Promise<void> {
  const { terminal, signal } = context;
  const { out, err } = terminal;
  const kiln = await context.kiln();
  let found: Sources | undefined;
  let [hasText, isDone] = [false, false];
  try {
    for await (const part of kiln.search.askStream(question, { signal })) {
      if (part.type === 'sources') found = part;
      if (part.type === 'done') isDone = true;
      if (part.type !== 'chunk') continue;
      out.write(out.isTerminal ? cleanText(part.content) : part.content);
      hasText = true;
    }
  } finally {
    // If the answer breaks off, the reason is in a line of its own.
    if (hasText) out.write('\n');
  }
  if (found) writeSources(context, found);
  if (found?.truncated) err.write('The answer was cut off: its end is missing.\n');
  if (!isDone) throw new CommandFailure('retry', 'The answer broke off. Ask again.');
}

function writeSources({ terminal: { out } }: Context, { sources, citations }: Sources): void {
  if (sources.length > 0) out.write(`\n${paint(out, 'bold', 'Sources')}\n`);
  for (const { citation, filename, file_id: id } of sources) {
    out.write(`${paint(out, 'cyan', `[${citation}]`)} ${cleanLine(filename)}  ${paint(out, 'dim', id)}\n`);
    const quotes = citations.flatMap(({ quote, ...one }) => (one.citation === citation && quote ? [quote] : []));
    const texts = quotes.map(({ text, page }) => `“${cleanLine(text)}”${page === null ? '' : ` (page ${page})`}`);
    for (const text of new Set(texts))
      for (const line of out.isTerminal ? wrap(text, out.columns - 4) : [text]) out.write(`    ${line}\n`);
  }
}
