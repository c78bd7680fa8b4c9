// Joining the parts of a large upload may take longer than a client's timeout. As in S3, the response then begins with status 200 and white
// space, and the document at its end reports success or failure.
import type { S3Request } from '../request.js';
import { errorDocument } from '../error-answer.js';
import { XML_PROLOG, xmlRoot, type XmlElement } from '../xml.js';

const BLANK_EVERY_MS = 5_000;

export interface SlowAnswer {
  /** From here on, white space is sent while the work is running. */
  keepAlive(): void;
  finish(root: string, content: XmlElement): void;
  /** Rethrows unless the response has begun. */
  fail(error: unknown): void;
}

export function slowAnswer(request: S3Request): SlowAnswer {
  const { response } = request;
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    if (response.headersSent) return;
    response.writeHead(200, { 'Content-Type': 'application/xml' });
    response.write(XML_PROLOG);
  };
  const stop = (): void => clearInterval(timer);
  return {
    keepAlive: () => {
      timer = setInterval(() => {
        begin();
        response.write(' ');
      }, BLANK_EVERY_MS);
    },
    finish: (root, content) => {
      stop();
      begin();
      response.end(xmlRoot(root, content));
    },
    fail: (error) => {
      stop();
      if (!response.headersSent) throw error;
      response.end(errorDocument(request, error));
    },
  };
}
