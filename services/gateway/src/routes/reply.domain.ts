// A success answer that is not simply "the row's status with this JSON".

/** `file` is the path of a file that is sent unchanged. `events` are sent as server-sent events, each as JSON. */
export class Reply {
  constructor(
    readonly answer: {
      status?: number;
      headers?: Record<string, string>;
      json?: unknown;
      text?: string;
      file?: string;
      events?: AsyncIterable<unknown>;
    },
  ) {}
}
