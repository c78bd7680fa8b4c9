/** Sends a file to a server that reads it, as a streamed form. The answer is JSON of bounded size, which is streamed to disk. */
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bareContentType } from '@kiln/file-types/content-type';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { ExtractionInput, ExtractionOutput, Extractor } from '@kiln/readers/extractor';
import type { ProviderEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import type { ProviderHttp, ProviderRequest } from '@kiln/model-clients/http/provider-http';
import { answerFaultOf } from './answer-fault.js';
import { AnswerReader } from './answer-reader.js';
import { answerType, type AnswerParameters } from './answer-type.js';
import { fileFault, unreadable } from './file-faults.js';
import { multipartBody } from './multipart-body.js';
import { uploadName } from './upload-name.js';
import { tooMuchText } from './write-extraction.js';

export interface RemoteExtractorOptions {
  endpoint: ProviderEndpoint;
  http: ProviderHttp;
  /** Milliseconds for one document, from its first byte sent to the last received. */
  deadlineMs: number;
  /** The markdown, in UTF-8. Default 64 MiB. */
  outputBytesMax?: number;
}

export interface DocumentServerOptions extends RemoteExtractorOptions {
  /** Reads large answers. */
  sandbox: Pick<Extractor, 'extract'>;
}

export interface DocumentRequest {
  path: string;
  keyHeader: NonNullable<ProviderRequest['keyHeader']>;
  /** The fields of the form beside the file. */
  fields: Readonly<Record<string, string>>;
  /** The name of the field with the file. */
  fileField: string;
  /** The markdown, in UTF-8. */
  outputBytesMax: number;
  /** A larger answer has more markdown than that. */
  responseBytesMax: number;
  answer: AnswerParameters;
}

/** A larger answer takes several times its size while it is parsed, which a worker does not have. It is parsed in the sandbox. */
export const PARSED_HERE_BYTES_MAX = 4_194_304;

/** @throws ExtractionError that names the document, or ProviderError for a fault of the server. */
export async function readByServer(
  options: DocumentServerOptions,
  request: DocumentRequest,
  input: ExtractionInput,
  signal: AbortSignal,
): Promise<ExtractionOutput> {
  const { outputBytesMax } = request;
  if ((await stat(input.path)).size === 0) throw unreadable(input.filename);
  const path = join(input.outputDirectory, 'answer.json');
  try {
    await send(options, request, { input, path, signal });
    const { size } = await stat(path);
    const reader = size > PARSED_HERE_BYTES_MAX ? options.sandbox : new AnswerReader(outputBytesMax);
    return await reader.extract({ ...input, path, contentType: answerType(request.answer) }, signal);
  } catch (error) {
    const fault = answerFaultOf(error);
    if (fault !== null) throw new ProviderError(fault, options.endpoint, { cause: error });
    if (error instanceof ExtractionError && error.code === 'unsupported_type') throw notYetRead(error);
    if (!(error instanceof ProviderError)) throw error;
    throw error.fault === 'oversized' ? tooMuchText(input.filename, outputBytesMax) : fileFault(error, input.filename);
  } finally {
    await rm(path, { force: true });
  }
}

/** During a rollout, an extractor of the release before does not read answers. The file waits for a newer extractor. */
const notYetRead = (cause: ExtractionError): ExtractionError =>
  new ExtractionError('unavailable', 'No extractor reads large answers yet. Try again.', { cause });

/** Writes the answer to `path`. */
async function send(
  { endpoint, http, deadlineMs }: DocumentServerOptions,
  { path: resource, keyHeader, fields, fileField, responseBytesMax }: DocumentRequest,
  { input, path, signal }: { input: ExtractionInput; path: string; signal: AbortSignal },
): Promise<void> {
  const contentType = bareContentType(input.contentType);
  const filename = uploadName(input.filename, input.contentType);
  const body = await multipartBody(fields, { field: fileField, path: input.path, filename, contentType });
  const headers = { 'content-type': body.contentType };
  const asked = { path: resource, headers, keyHeader, body, deadlineMs, responseBytesMax };
  await pipeline(http.post(endpoint, asked, signal), createWriteStream(path));
}
