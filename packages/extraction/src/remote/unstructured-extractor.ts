/**
 * Documents and images to markdown by a server that speaks Unstructured's `POST /general/v0/general`
 * (https://github.com/Unstructured-IO/unstructured-api). The file is streamed. The elements come back in one JSON answer of bounded size.
 */
import type { ExtractionInput, ExtractionOutput, Extractor } from '@kiln/readers/extractor';
import { defaultLimits } from '@kiln/readers/limits';
import { readByServer, type DocumentServerOptions } from './document-server.js';
import { endpointName } from '@kiln/model-clients/http/provider-endpoint';

/** An answer has the coordinates, the languages and the parent of each element beside its text, and tables twice. */
const ENVELOPE = 4;
const ENVELOPE_BYTES = 1_048_576;

export class UnstructuredExtractor implements Extractor {
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
    const request = {
      path: '/general/v0/general',
      keyHeader: 'unstructured-api-key' as const,
      // By default a server may leave out the tables of PDFs and images.
      fields: { output_format: 'application/json', coordinates: 'false', skip_infer_table_types: '[]' },
      fileField: 'files',
      outputBytesMax,
      responseBytesMax: outputBytesMax * ENVELOPE + ENVELOPE_BYTES,
      answer: { protocol: 'unstructured' as const },
    };
    return readByServer(options, request, input, signal);
  }
}
