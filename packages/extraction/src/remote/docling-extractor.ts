/**
 * Documents and images to markdown by a server that speaks docling-serve's `POST /v1/convert/file`
 * (https://github.com/docling-project/docling-serve; others speak it, too). The file is streamed; the markdown comes back in
 * one JSON answer of bounded size.
 */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { bareContentType } from '../content-type.js';
import type { ExtractionInput, ExtractionOutput, Extractor, PageSpan } from '../extractor.js';
import { defaultLimits } from '../limits.js';
import { cleanText } from '../text/decode-text.js';
import { fileFault, unreadable } from './file-faults.js';
import { multipartBody } from './multipart-body.js';
import { endpointName, type ProviderEndpoint } from './provider-endpoint.js';
import { ProviderError } from './provider-error.js';
import type { ProviderHttp } from './provider-http.js';
import { uploadName } from './upload-name.js';
import { tooMuchText, writeExtraction } from './write-extraction.js';

export interface RemoteExtractorOptions {
  endpoint: ProviderEndpoint;
  http: ProviderHttp;
  /** Milliseconds for one document, from its first byte sent to the last received. */
  deadlineMs: number;
  /** The markdown, in UTF-8. Default 64 MiB. */
  outputBytesMax?: number;
}

interface Converted {
  markdown: string;
}

/** JSON writes some characters as six bytes; text that is more than half such is none. */
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
    if ((await stat(input.path)).size === 0) throw unreadable(input.filename);
    // Drawn anew each time, so that no document can hold it and make up pages.
    const pageBreak = `kiln-page-${randomUUID()}`;
    const { markdown } = await this.convert(input, pageBreak, signal);
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
        details: {},
      },
      this.outputBytesMax,
    );
  }

  private async convert(input: ExtractionInput, pageBreak: string, signal: AbortSignal): Promise<Converted> {
    const { endpoint, http, deadlineMs } = this.options;
    const fields = { to_formats: 'md', image_export_mode: 'placeholder', md_page_break_placeholder: pageBreak };
    const body = await multipartBody(fields, {
      field: 'files',
      path: input.path,
      filename: uploadName(input.filename, input.contentType),
      contentType: bareContentType(input.contentType),
    });
    const asked = {
      path: '/v1/convert/file',
      headers: { 'content-type': body.contentType },
      keyHeader: 'x-api-key' as const,
      body,
      deadlineMs,
      responseBytesMax: this.outputBytesMax * ESCAPING + ENVELOPE_BYTES,
    };
    try {
      return parseConverted(await http.postForJson(endpoint, asked, signal), endpoint, input.filename);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw error.fault === 'oversized'
        ? tooMuchText(input.filename, this.outputBytesMax)
        : fileFault(error, input.filename);
    }
  }
}

/** `{document: {md_content}, status: success | partial_success | skipped | failure}`. */
function parseConverted(answer: unknown, endpoint: ProviderEndpoint, filename: string): Converted {
  const { document, status } = recordOf(answer);
  if (status === 'failure' || status === 'skipped')
    throw unreadable(filename, new Error(`conversion ended as ${status}`));
  const { md_content: markdown } = recordOf(document);
  if (typeof markdown !== 'string')
    throw new ProviderError('malformed', endpoint, { cause: new Error('the answer has no document.md_content') });
  return { markdown: cleanText(markdown) };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
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
