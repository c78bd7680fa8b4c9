/**
 * Speech to markdown by a server that speaks OpenAI's `POST /audio/transcriptions`
 * (https://platform.openai.com/docs/api-reference/audio/createTranscription; also faster-whisper servers, LocalAI, vLLM). The
 * audio is streamed.
 */
import { bareContentType } from '@kiln/file-types/content-type';
import type { ExtractionInput, ExtractionOutput, Extractor } from '@kiln/readers/extractor';
import { defaultLimits } from '@kiln/readers/limits';
import { readByServer, type DocumentServerOptions } from './document-server.js';
import { endpointName } from '@kiln/model-clients/http/provider-endpoint';

export interface TranscriptionExtractorOptions extends DocumentServerOptions {
  model: string;
}

/** Segments repeat the text, with tokens and timings of their own; a day of speech is about 20 MB of it. */
const RESPONSE_BYTES_MAX = 64 * 1_048_576;

/** Only segments have times. Models of the gpt-4o family support only plain JSON. */
const formatFor = (model: string) => (model.startsWith('gpt-4o') ? 'json' : 'verbose_json');

export class TranscriptionExtractor implements Extractor {
  readonly name: string;
  private readonly outputBytesMax: number;

  constructor(private readonly options: TranscriptionExtractorOptions) {
    this.name = endpointName(options.endpoint);
    this.outputBytesMax = options.outputBytesMax ?? defaultLimits.outputBytesMax;
  }

  supports(contentType: string): boolean {
    const bare = bareContentType(contentType);
    return bare.startsWith('audio/') || bare === 'video/mp4' || bare === 'video/webm' || bare === 'video/mpeg';
  }

  extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    const { options, outputBytesMax } = this;
    const { model } = options;
    const request = {
      path: '/audio/transcriptions',
      keyHeader: 'bearer' as const,
      fields: { model, response_format: formatFor(model) },
      fileField: 'file',
      outputBytesMax,
      responseBytesMax: RESPONSE_BYTES_MAX,
      answer: { protocol: 'transcription' as const },
    };
    return readByServer(options, request, input, signal);
  }
}
