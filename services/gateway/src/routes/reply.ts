// A success answer that is not simply "the row's status with this JSON".

/** `file` is sent as it lies on disk. */
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
