// ListParts and ListMultipartUploads.
import { compareUtf8 } from '../disk/multipart-uploads.js';
import { answerXml, quotedEtag, type Operation } from '../operation.js';
import { integerQuery } from '../request.js';
import { keyEncoder, OWNER } from './list-objects.js';
import { uploadOf } from './multipart.js';

const PAGE_MAX = 1000;

export const listParts: Operation = async (context) => {
  const { request, services } = context;
  const upload = await uploadOf(context);
  const partsMax = integerQuery(request, 'max-parts', { default: PAGE_MAX, min: 0, max: PAGE_MAX });
  const marker = integerQuery(request, 'part-number-marker', { default: 0, min: 0, max: 10_000 });
  const later = (await services.uploads.parts(upload)).filter(({ partNumber }) => partNumber > marker);
  const page = later.slice(0, partsMax);
  const encode = keyEncoder(request);
  answerXml(request, 'ListPartsResult', {
    Bucket: request.bucket,
    Key: encode(request.key),
    UploadId: upload.uploadId,
    Initiator: OWNER,
    Owner: OWNER,
    StorageClass: 'STANDARD',
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.partNumber ?? marker,
    MaxParts: partsMax,
    IsTruncated: later.length > page.length,
    Part: page.map((part) => ({
      PartNumber: part.partNumber,
      LastModified: new Date(part.lastModifiedMs).toISOString(),
      ETag: quotedEtag(part),
      Size: part.sizeBytes,
    })),
  });
};

/** There are few unfinished uploads, so prefix and markers filter the complete list. */
export const listMultipartUploads: Operation = async ({ request, services }) => {
  await services.buckets.get(request.bucket);
  const encode = keyEncoder(request);
  const prefix = request.query('prefix') ?? '';
  const keyMarker = request.query('key-marker') ?? '';
  const idMarker = request.query('upload-id-marker') ?? '';
  const uploadsMax = integerQuery(request, 'max-uploads', { default: PAGE_MAX, min: 0, max: PAGE_MAX });
  const all = (await services.uploads.list(request.bucket)).filter(({ key }) => key.startsWith(prefix));
  const later = all.filter(({ key, uploadId }) => {
    const order = keyMarker === '' ? 1 : compareUtf8(key, keyMarker);
    return order > 0 || (order === 0 && idMarker !== '' && compareUtf8(uploadId, idMarker) > 0);
  });
  const page = later.slice(0, uploadsMax);
  const truncated = later.length > page.length;
  answerXml(request, 'ListMultipartUploadsResult', {
    Bucket: request.bucket,
    KeyMarker: encode(keyMarker),
    UploadIdMarker: idMarker,
    NextKeyMarker: truncated ? encode(page.at(-1)?.key ?? '') : undefined,
    NextUploadIdMarker: truncated ? page.at(-1)?.uploadId : undefined,
    Prefix: encode(prefix),
    MaxUploads: uploadsMax,
    EncodingType: request.query('encoding-type'),
    IsTruncated: truncated,
    Upload: page.map(({ key, uploadId, initiatedMs }) => ({
      Key: encode(key),
      UploadId: uploadId,
      Initiator: OWNER,
      Owner: OWNER,
      StorageClass: 'STANDARD',
      Initiated: new Date(initiatedMs).toISOString(),
    })),
  });
};
