// What docling-serve answers, as markdown with pages.
import { cleanText } from '@kiln/pdf/clean-text';
import type { PageSpan } from '@kiln/pdf/markdown/paged-text';
import type { Finding } from '@kiln/readers/write-files';
import { recordOf } from '@kiln/model-clients/http/record-of';
import { answerFault } from './answer-fault.js';
import type { AnswerParameters } from './answer-type.js';
import { unreadable } from './file-faults.js';

type Parameters = Extract<AnswerParameters, { protocol: 'docling' }>;

/** `{document: {md_content}, status: success | partial_success | skipped | failure}`. */
export function findConverted(
  answer: unknown,
  filename: string,
  { page_break: pageBreak, is_paged: isPaged }: Parameters,
): Finding {
  const { document, status } = recordOf(answer);
  if (status === 'failure' || status === 'skipped')
    throw unreadable(filename, new Error(`conversion ended as ${status}`));
  const { md_content: markdown } = recordOf(document);
  if (typeof markdown !== 'string') throw answerFault('malformed', new Error('the answer has no document.md_content'));
  const { text, pages } = splitPages(cleanText(markdown), pageBreak);
  const hasPages = pages.length > 1 || isPaged === 'true';
  return {
    markdown: text,
    pages: hasPages ? pages : null,
    pageCount: hasPages ? pages.length : null,
    title: null,
    author: null,
    language: null,
    // The server ran out of time, or could not read some pages.
    details: status === 'partial_success' ? { is_partial: true } : {},
  };
}

/** A page's text begins where the one before it ends, as extractors of this package count. */
function splitPages(markdown: string, pageBreak: string): { text: string; pages: PageSpan[] } {
  const pages: PageSpan[] = [];
  let text = '';
  for (const [index, part] of markdown.split(pageBreak).entries()) {
    const own = part.trim();
    if (index > 0 && own !== '' && text !== '') text += '\n\n';
    const start = text.length;
    text += own;
    pages.push({ page: index + 1, start, end: text.length });
  }
  return { text: text === '' ? '' : `${text}\n`, pages };
}
