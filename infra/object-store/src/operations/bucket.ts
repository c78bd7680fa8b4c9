// Operations on buckets.
import { answerEmpty, answerXml, type Operation } from '../operation.js';
import { OWNER } from './list-objects.js';
import { S3Error } from '../s3-errors.js';

export const listBuckets: Operation = async ({ request, services }) => {
  const buckets = await services.buckets.list();
  answerXml(request, 'ListAllMyBucketsResult', {
    Owner: OWNER,
    Buckets: { Bucket: buckets.map(({ name, createdAt }) => ({ Name: name, CreationDate: createdAt.toISOString() })) },
  });
};

/** A location in the body is ignored: this store has no regions. */
export const createBucket: Operation = async ({ request, services }) => {
  const created = await services.buckets.create(request.bucket);
  if (!created) throw new S3Error('BucketAlreadyOwnedByYou');
  answerEmpty(request, 200, { Location: `/${request.bucket}` });
};

export const headBucket: Operation = async ({ request, services }) => {
  await services.buckets.get(request.bucket);
  answerEmpty(request, 200);
};

export const deleteBucket: Operation = async ({ request, services }) => {
  await services.buckets.delete(request.bucket);
  answerEmpty(request, 204);
};

/** An empty location is S3's name for us-east-1, the region every client accepts. */
export const getBucketLocation: Operation = async ({ request, services }) => {
  await services.buckets.get(request.bucket);
  answerXml(request, 'LocationConstraint', {});
};

/** Versioning is not supported, which S3 represents by an empty document. */
export const getBucketVersioning: Operation = async ({ request, services }) => {
  await services.buckets.get(request.bucket);
  answerXml(request, 'VersioningConfiguration', {});
};
