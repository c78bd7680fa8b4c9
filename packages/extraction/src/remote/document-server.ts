/** Sends a document to a server that reads it, as a streamed form. The answer is JSON of bounded size. */
import { stat } from 'node:fs/promises';
import { bareContentType } from '@kiln/file-types/content-type';
import type { ExtractionInput } from '@kiln/readers/extractor';
import { fileFault, unreadable } from './file-faults.js';
import { multipartBody } from './multipart-body.js';
import type { ProviderEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import type { ProviderHttp, ProviderRequest } from '@kiln/model-clients/http/provider-http';
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

export interface DocumentRequest<Result> {
  path: string;
  keyHeader: NonNullable<ProviderRequest['keyHeader']>;
  /** The fields of the form beside the document. */
  fields: Readonly<Record<string, string>>;
  /** The markdown, in UTF-8. */
  outputBytesMax: number;
  /** A larger answer has more markdown than that. */
  responseBytesMax: number;
  /** Reads the answer. @throws ProviderError with the fault `malformed` */
  read: (answer: unknown) => Result;
}

/** @throws ExtractionError that names the document, or ProviderError for a fault of the server. */
export async function sendDocument<Result>(
  { endpoint, http, deadlineMs }: RemoteExtractorOptions,
  { path, keyHeader, fields, outputBytesMax, responseBytesMax, read }: DocumentRequest<Result>,
  input: ExtractionInput,
  signal: AbortSignal,
): Promise<Result> {
  if ((await stat(input.path)).size === 0) throw unreadable(input.filename);
  const body = await multipartBody(fields, {
    field: 'files',
    path: input.path,
    filename: uploadName(input.filename, input.contentType),
    contentType: bareContentType(input.contentType),
  });
  const headers = { 'content-type': body.contentType };
  try {
    return read(
      await http.postForJson(endpoint, { path, headers, keyHeader, body, deadlineMs, responseBytesMax }, signal),
    );
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw error.fault === 'oversized' ? tooMuchText(input.filename, outputBytesMax) : fileFault(error, input.filename);
  }
}
