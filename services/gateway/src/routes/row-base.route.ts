// What the rows of all kinds have in common.
import type { ErrorCode } from '@kiln/contracts';
import type { z } from 'zod';
import type { Reply } from './reply.domain.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export type Answer<Response extends z.ZodType> = z.input<Response> | Reply;

export interface RowBase<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> {
  /** A unique name: the operationId of OpenAPI and the label in metrics and logs. */
  readonly name: string;
  readonly method: Method;
  /** Express syntax: `/v1/files/:id`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** One schema for each `:name` in the path. A value that does not fit is 404, because no such resource can exist. */
  readonly params?: Params;
  /** Path parameters whose value is a secret. Logs and messages show their name in place of the value. */
  readonly secretParams?: readonly string[];
  readonly query?: Query;
  /** The headers that the handler reads and checks. */
  readonly headers?: z.ZodObject;
  /** A JSON body. */
  readonly body?: Body;
  /** The longest JSON body. Default 1 MiB. */
  readonly bodyBytesMax?: number;
  /** How much work a request is beyond the length of its body: 1 is an ordinary one, 64 the most (limits/heavy-work.service.ts). Default 0. */
  readonly units?: (body: z.output<Body>, query: z.output<Query>) => number;
  /** A JSON body of any length, in place of `body`. The handler reads it from the stream, and checks it. */
  readonly streamedBody?: z.ZodType;
  /** The status of a success. Default 200. */
  readonly success?: 201;
  /** Media type of the success answer. Default application/json. */
  readonly mediaType?: string;
  /** The data of each server-sent event, if the request can ask for a streamed response. */
  readonly events?: z.ZodType;
  /** The response has an ETag, and a request with If-None-Match may get 304. */
  readonly isConditional?: true;
  /** Errors beyond those that follow from the rest of the row. */
  readonly errors?: readonly ErrorCode[];
  /**
   * The response contains a secret that is shown once. It must not be cached, and an Idempotency-Key repeats it to the same
   * credentials only.
   */
  readonly secret?: true;
  /** The longest time that a caller waits for services. Default 10,000. */
  readonly timeoutMs?: number;
  readonly example: { readonly request?: unknown; readonly response?: unknown };
}
