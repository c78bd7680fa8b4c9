// Checks the response to a listing before the SDK parses it. The SDK accepts any document as a listing, and an empty body as an empty
// listing.
import type { S3Client } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ListingNotProvenError } from '../listing-not-proven.error.js';
import { isXmlDocument } from '../xml-document.js';

/** The SDK treats any other value as false. */
const IS_TRUNCATED = /<(?:\w+:)?IsTruncated>\s*(?:true|false)\s*</;

/** Version 1 has no continuation token and always has a Marker. Version 2 never has a Marker, and in older stores no KeyCount either. */
const MARKER = /<(?:\w+:)?Marker[\s/>]/;
const KEY_COUNT = /<(?:\w+:)?KeyCount>/;

/** The root element of the response to each listing. */
const ROOTS = new Map([
  ['ListObjectsV2Command', 'ListBucketResult'],
  ['ListBucketsCommand', 'ListAllMyBucketsResult'],
]);

interface HttpAnswer {
  statusCode?: number;
  body?: unknown;
}

/** Add it before other middleware that reads responses: the one that is added last is next to the network. */
export function checkListingAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (request) => {
        const result = await next(request);
        const response = result.response as HttpAnswer;
        const root = ROOTS.get(commandName);
        if (root !== undefined && (response.statusCode ?? 0) < 300) response.body = await checked(response.body, root);
        return result;
      },
    { step: 'deserialize', priority: 'low', name: 'checkListingAnswers' },
  );
}

async function checked(body: unknown, root: string): Promise<Readable> {
  const bytes = body instanceof Readable ? await buffer(body) : Buffer.alloc(0);
  const text = bytes.toString();
  if (!isXmlDocument(text, root)) throw new ListingNotProvenError(`the response is not a complete ${root} document`);
  if (root === 'ListBucketResult') assertVersion2(text);
  return Readable.from([bytes]);
}

function assertVersion2(text: string): void {
  if (!IS_TRUNCATED.test(text)) throw new ListingNotProvenError('IsTruncated is neither true nor false');
  if (MARKER.test(text) && !KEY_COUNT.test(text)) throw new ListingNotProvenError('it is version 1 of the listing');
}
