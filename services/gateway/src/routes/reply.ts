// A success answer that is not simply "the row's status with this JSON".

/** `file` is the path of a file that is sent unchanged. */
export class Reply {
  constructor(
    readonly answer: {
      status?: number;
      headers?: Record<string, string>;
      json?: unknown;
      text?: string;
      file?: string;
    },
  ) {}
}
