// A success answer that is not simply "the row's status with this JSON".

import type { ObjectBody } from '@kiln/storage';
import type { ServerResponse } from 'node:http';

/** `file` is the path of a file that is sent unchanged, `object` an object of the store. `events` are sent as server-sent events, each as
 * JSON. `stream` writes the whole response. */
export class Reply {
  constructor(
    readonly answer: {
      status?: number;
      headers?: Record<string, string>;
      json?: unknown;
      text?: string;
      file?: string;
      object?: ObjectBody;
      events?: AsyncIterable<unknown>;
      stream?: (response: ServerResponse) => Promise<void>;
    },
  ) {}
}
