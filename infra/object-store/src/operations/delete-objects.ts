// DeleteObjects: up to 1000 keys in one request, with a result for each.
import { inParallel } from '../disk/in-parallel.js';
import { answerXml, type Operation } from '../operation.js';
import { readTextPayload } from '../payload/payload.js';
import { S3Error } from '../s3-errors.js';
import { listOf, parseXml, recordOf, textOf } from '../xml.js';

const KEYS_MAX = 1000;
const FAILURE = { Code: 'InternalError', Message: 'The object could not be deleted. Try again.' };

export const deleteObjects: Operation = async ({ request, auth, services }) => {
  const bucket = await services.buckets.get(request.bucket);
  const body = parseXml(await readTextPayload(request, auth, services.limits.xmlBytesMax), 'Delete');
  const keys = listOf(body['Object']).map((item) => textOf(recordOf(item)['Key']));
  if (keys.length > KEYS_MAX) throw new S3Error('MalformedXML', `At most ${KEYS_MAX} keys can be deleted at once.`);
  const isDeleted = await inParallel(keys, (key) =>
    bucket.delete(key).then(
      () => true,
      () => false,
    ),
  );
  const deleted = keys.filter((_, at) => isDeleted[at] === true);
  const failed = keys.filter((_, at) => isDeleted[at] !== true);
  const quiet = body['Quiet'] === 'true';
  answerXml(request, 'DeleteResult', {
    ...(!quiet && { Deleted: deleted.map((key) => ({ Key: key })) }),
    Error: failed.map((key) => ({ Key: key, ...FAILURE })),
  });
};
