/**
 * Documents and images to markdown by a server that speaks docling-serve's `POST /v1/convert/file`
 * (https://github.com/docling-project/docling-serve; others speak it, too). The file is streamed; the markdown comes back in
 * one JSON answer of bounded size.
 */
import { randomUUID } from 'node:crypto';
import { bareContentType } from '@kiln/file-types/content-type';
import type { ExtractionInput, ExtractionOutput, Extractor } from '@kiln/readers/extractor';
import { defaultLimits } from '@kiln/readers/limits';
import { endpointName } from '@kiln/model-clients/http/provider-endpoint';
import { readByServer, type DocumentServerOptions } from './document-server.js';

/** JSON writes some characters as six bytes. Text of which such characters are more than half is not text of a document. */
const ESCAPING = 2;
const ENVELOPE_BYTES = 65_536;

export class DoclingExtractor implements Extractor {
  readonly name: string;
  private readonly outputBytesMax: number;

  constructor(private readonly options: DocumentServerOptions) {
    this.name = endpointName(options.endpoint);
    this.outputBytesMax = options.outputBytesMax ?? defaultLimits.outputBytesMax;
  }

  /** Only the server knows; it says so when asked. */
  supports(): boolean {
    return true;
  }

  extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    const { options, outputBytesMax } = this;
    // Drawn anew each time, so that no document can hold it and make up pages.
    const pageBreak = `kiln-page-${randomUUID()}`;
    const request = {
      path: '/v1/convert/file',
      keyHeader: 'x-api-key' as const,
      fields: { to_formats: 'md', image_export_mode: 'placeholder', md_page_break_placeholder: pageBreak },
      fileField: 'files',
      outputBytesMax,
      responseBytesMax: outputBytesMax * ESCAPING + ENVELOPE_BYTES,
      answer: {
        protocol: 'docling' as const,
        page_break: pageBreak,
        is_paged: isPaged(input.contentType) ? ('true' as const) : ('false' as const),
      },
    };
    return readByServer(options, request, input, signal);
  }
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
