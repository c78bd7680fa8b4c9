/**
 * Speech to markdown by a server that speaks OpenAI's `POST /audio/transcriptions`
 * (https://platform.openai.com/docs/api-reference/audio/createTranscription; also faster-whisper servers, LocalAI, vLLM). The
 * audio is streamed.
 */
import { bareContentType } from '@kiln/file-types/content-type';
import type { ExtractionInput, ExtractionOutput, Extractor } from '@kiln/readers/extractor';
import { defaultLimits } from '@kiln/readers/limits';
import type { RemoteExtractorOptions } from './document-server.js';
import { fileFault } from './file-faults.js';
import { multipartBody } from './multipart-body.js';
import { endpointName } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import { parseTranscript } from './transcript.js';
import { uploadName } from './upload-name.js';
import { tooMuchText, writeExtraction } from './write-extraction.js';

export interface TranscriptionExtractorOptions extends RemoteExtractorOptions {
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

  async extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionOutput> {
    const { endpoint, http, deadlineMs, model } = this.options;
    const body = await multipartBody(
      { model, response_format: formatFor(model) },
      {
        field: 'file',
        path: input.path,
        filename: uploadName(input.filename, input.contentType),
        contentType: bareContentType(input.contentType),
      },
    );
    const asked = {
      path: '/audio/transcriptions',
      headers: { 'content-type': body.contentType },
      body,
      deadlineMs,
      responseBytesMax: RESPONSE_BYTES_MAX,
    };
    try {
      const transcript = parseTranscript(await http.postForJson(endpoint, asked, signal), endpoint);
      return await writeExtraction(input, transcript, this.outputBytesMax);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw error.fault === 'oversized'
        ? tooMuchText(input.filename, this.outputBytesMax)
        : fileFault(error, input.filename);
    }
  }
}
