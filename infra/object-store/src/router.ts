// Selects the S3 operation of a request by its method, by whether it names a bucket and a key, and by the sub-resource in its query. Unknown
// sub-resources are refused.
import type { Operation } from './operation.js';
import * as bucket from './operations/bucket.js';
import { deleteObjects } from './operations/delete-objects.js';
import { listObjectsV1, listObjectsV2 } from './operations/list-objects.js';
import { listMultipartUploads, listParts } from './operations/list-uploads.js';
import * as multipart from './operations/multipart.js';
import { getObject, headObject } from './operations/read-object.js';
import { copyObject, deleteObject, putObject } from './operations/write-object.js';
import type { S3Request } from './request.js';
import { S3Error } from './s3-errors.js';

export interface Route {
  /** The name in the S3 API reference, and the label in metrics. */
  name: string;
  run: Operation;
}

const routes: Record<string, Operation> = {
  ListBuckets: bucket.listBuckets,
  CreateBucket: bucket.createBucket,
  HeadBucket: bucket.headBucket,
  DeleteBucket: bucket.deleteBucket,
  GetBucketLocation: bucket.getBucketLocation,
  GetBucketVersioning: bucket.getBucketVersioning,
  ListObjects: listObjectsV1,
  ListObjectsV2: listObjectsV2,
  DeleteObjects: deleteObjects,
  ListMultipartUploads: listMultipartUploads,
  GetObject: getObject,
  HeadObject: headObject,
  PutObject: putObject,
  CopyObject: copyObject,
  DeleteObject: deleteObject,
  CreateMultipartUpload: multipart.createMultipartUpload,
  UploadPart: multipart.uploadPart,
  UploadPartCopy: multipart.uploadPartCopy,
  CompleteMultipartUpload: multipart.completeMultipartUpload,
  AbortMultipartUpload: multipart.abortMultipartUpload,
  ListParts: listParts,
};

/** All sub-resources of the S3 API. Those that are in no table below are refused. */
const SUBRESOURCES = new Set(
  (
    'accelerate acl analytics attributes cors delete encryption intelligent-tiering inventory legal-hold ' +
    'lifecycle location logging metadataTable metrics notification object-lock ownershipControls policy policyStatus ' +
    'publicAccessBlock renameObject replication requestPayment restore retention select session tagging torrent ' +
    'uploadId uploads versioning versions versionId website'
  ).split(' '),
);

const bucketRoutes: Record<string, string> = {
  GET: 'ListObjects',
  HEAD: 'HeadBucket',
  PUT: 'CreateBucket',
  DELETE: 'DeleteBucket',
  'GET location': 'GetBucketLocation',
  'GET versioning': 'GetBucketVersioning',
  'GET uploads': 'ListMultipartUploads',
  'POST delete': 'DeleteObjects',
};

const objectRoutes: Record<string, string> = {
  GET: 'GetObject',
  HEAD: 'HeadObject',
  PUT: 'PutObject',
  DELETE: 'DeleteObject',
  'POST uploads': 'CreateMultipartUpload',
  'GET uploadId': 'ListParts',
  'PUT uploadId': 'UploadPart',
  'POST uploadId': 'CompleteMultipartUpload',
  'DELETE uploadId': 'AbortMultipartUpload',
};

export function resolveRoute(request: S3Request): Route {
  const name = operationName(request);
  const run = routes[name];
  if (run === undefined) throw new S3Error('NotImplemented');
  return { name, run };
}

function operationName(request: S3Request): string {
  const { method } = request;
  if (request.bucket === '') {
    if (request.key === '' && method === 'GET') return 'ListBuckets';
    throw new S3Error('MethodNotAllowed');
  }
  const table = request.key === '' ? bucketRoutes : objectRoutes;
  const subresource = request.queryPairs.map(([name]) => name).find((name) => SUBRESOURCES.has(name));
  const name = table[subresource === undefined ? method : `${method} ${subresource}`];
  if (name === undefined) throw new S3Error(subresource === undefined ? 'MethodNotAllowed' : 'NotImplemented');
  const copies = request.header('x-amz-copy-source') !== undefined;
  if (name === 'PutObject' && copies) return 'CopyObject';
  if (name === 'UploadPart' && copies) return 'UploadPartCopy';
  if (name === 'ListObjects' && request.query('list-type') === '2') return 'ListObjectsV2';
  return name;
}
