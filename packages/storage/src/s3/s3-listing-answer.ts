// The answer to a listing before the SDK parses it: the SDK takes the first element of any document for a listing, and an empty body
// for an empty one.
import type { S3Client } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ListingNotProvenError } from '../listing-not-proven.error.js';
import { isXmlDocument } from '../xml-document.js';

/** The SDK takes every other word for false. */
const IS_TRUNCATED = /<(?:\w+:)?IsTruncated>\s*(?:true|false)\s*</;

/** Version 1, which knows no continuation token, always has a Marker; version 2 never has, but in older stores no KeyCount either. */
const MARKER = /<(?:\w+:)?Marker[\s/>]/;
const KEY_COUNT = /<(?:\w+:)?KeyCount>/;

/** The root of each listing's answer. */
const ROOTS = new Map([
  ['ListObjectsV2Command', 'ListBucketResult'],
  ['ListBucketsCommand', 'ListAllMyBucketsResult'],
]);

interface HttpAnswer {
  statusCode?: number;
  body?: unknown;
}

/** Add it before what else reads answers: the one that was added last is nearest to the network. */
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
  if (!isXmlDocument(text, root)) throw new ListingNotProvenError(`the answer is no whole ${root} document`);
  if (root === 'ListBucketResult') assertVersion2(text);
  return Readable.from([bytes]);
}

function assertVersion2(text: string): void {
  if (!IS_TRUNCATED.test(text)) throw new ListingNotProvenError('IsTruncated is neither true nor false');
  if (MARKER.test(text) && !KEY_COUNT.test(text)) throw new ListingNotProvenError('it is version 1 of the listing');
}
