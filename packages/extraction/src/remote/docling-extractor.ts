/**
 * Documents and images to markdown by a server that speaks docling-serve's `POST /v1/convert/file`
 * (https://github.com/docling-project/docling-serve; others speak it, too). The file is streamed; the markdown comes back in
 * one JSON answer of bounded size.
 */
import { randomUUID } from 'node:crypto';
import { bareContentType } from '@kiln/file-types/content-type';
import type { ExtractionInput, ExtractionOutput, Extractor } from '@kiln/readers/extractor';
import type { PageSpan } from '@kiln/pdf/markdown/paged-text';
import { defaultLimits } from '@kiln/readers/limits';
import { cleanText } from '@kiln/pdf/clean-text';
import { sendDocument, type RemoteExtractorOptions } from './document-server.js';
import { unreadable } from './file-faults.js';
import { endpointName, type ProviderEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import { recordOf } from '@kiln/model-clients/http/record-of';
import { writeExtraction } from './write-extraction.js';

/** JSON writes some characters as six bytes. Text of which such characters are more than half is not text of a document. */
const ESCAPING = 2;
const ENVELOPE_BYTES = 65_536;

export class DoclingExtractor implements Extractor {
  readonly name: string;
  private readonly outputBytesMax: number;

  constructor(private readonly options: RemoteExtractorOptions) {
    this.name = endpointName(options.endpoint);
    this.outputBytesMax = options.outputBytesMax ?? defaultLimits.outputBytesMax;
  }

  /** Only the server knows; it says so when asked. */
  supports(): boolean {
    return true;
  }

  async extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    // Drawn anew each time, so that no document can hold it and make up pages.
    const pageBreak = `kiln-page-${randomUUID()}`;
    const { markdown, isPartial } = await this.convert(input, pageBreak, signal);
    const { text, pages } = splitPages(markdown, pageBreak);
    const hasPages = pages.length > 1 || isPaged(input.contentType);
    return writeExtraction(
      input,
      {
        markdown: text,
        pages: hasPages ? pages : null,
        pageCount: hasPages ? pages.length : null,
        title: null,
        author: null,
        language: null,
        details: isPartial ? { is_partial: true } : {},
      },
      this.outputBytesMax,
    );
  }

  private convert(input: ExtractionInput, pageBreak: string, signal: AbortSignal): Promise<Converted> {
    const { options, outputBytesMax } = this;
    const request = {
      path: '/v1/convert/file',
      keyHeader: 'x-api-key' as const,
      fields: { to_formats: 'md', image_export_mode: 'placeholder', md_page_break_placeholder: pageBreak },
      outputBytesMax,
      responseBytesMax: outputBytesMax * ESCAPING + ENVELOPE_BYTES,
      read: (answer: unknown) => convertedOf(answer, options.endpoint, input.filename),
    };
    return sendDocument(options, request, input, signal);
  }
}

interface Converted {
  markdown: string;
  /** The server ran out of time, or could not read some pages. */
  isPartial: boolean;
}

/** `{document: {md_content}, status: success | partial_success | skipped | failure}`. */
function convertedOf(answer: unknown, endpoint: ProviderEndpoint, filename: string): Converted {
  const { document, status } = recordOf(answer);
  if (status === 'failure' || status === 'skipped')
    throw unreadable(filename, new Error(`conversion ended as ${status}`));
  const { md_content: markdown } = recordOf(document);
  if (typeof markdown !== 'string')
    throw new ProviderError('malformed', endpoint, { cause: new Error('the answer has no document.md_content') });
  return { markdown: cleanText(markdown), isPartial: status === 'partial_success' };
}

/** A page's text begins where the one before it ends, as extractors of this package count. */
export function splitPages(markdown: string, pageBreak: string): { text: string; pages: PageSpan[] } {
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

function isPaged(contentType: string): boolean {
  const bare = bareContentType(contentType);
  return (
    bare.startsWith('image/') ||
    bare === 'application/pdf' ||
    bare === 'application/x-pdf' ||
    bare.includes('presentation')
  );
}
