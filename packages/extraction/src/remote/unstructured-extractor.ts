/**
 * Documents and images to markdown by a server that speaks Unstructured's `POST /general/v0/general`
 * (https://github.com/Unstructured-IO/unstructured-api). The file is streamed. The elements come back in one JSON answer of bounded size.
 */
import type { ExtractionInput, ExtractionOutput, Extractor } from '@kiln/readers/extractor';
import { defaultLimits } from '@kiln/readers/limits';
import { sendDocument, type RemoteExtractorOptions } from './document-server.js';
import { endpointName, type ProviderEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import { writeExtraction } from './write-extraction.js';

/** An answer has the coordinates, the languages and the parent of each element beside its text, and tables twice. */
const ENVELOPE = 4;
const ENVELOPE_BYTES = 1_048_576;

export class UnstructuredExtractor implements Extractor {
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
    const elements = await this.partition(input, signal);
    // Loaded with the first document: the parser of HTML is not needed elsewhere.
    const { readElements } = await import('./unstructured-elements.js');
    const { markdown, pages } = await readElements(elements, input.filename, this.outputBytesMax);
    return writeExtraction(
      input,
      { markdown, pages, pageCount: pages?.length ?? null, title: null, author: null, language: null, details: {} },
      this.outputBytesMax,
    );
  }

  private partition(input: ExtractionInput, signal: AbortSignal): Promise<unknown[]> {
    const { options, outputBytesMax } = this;
    const request = {
      path: '/general/v0/general',
      keyHeader: 'unstructured-api-key' as const,
      // By default a server may leave out the tables of PDFs and images.
      fields: { output_format: 'application/json', coordinates: 'false', skip_infer_table_types: '[]' },
      outputBytesMax,
      responseBytesMax: outputBytesMax * ENVELOPE + ENVELOPE_BYTES,
      read: (answer: unknown) => elementsOf(answer, options.endpoint),
    };
    return sendDocument(options, request, input, signal);
  }
}

function elementsOf(answer: unknown, endpoint: ProviderEndpoint): unknown[] {
  if (Array.isArray(answer)) return answer;
  throw new ProviderError('malformed', endpoint, { cause: new Error('the answer is no list of elements') });
}
