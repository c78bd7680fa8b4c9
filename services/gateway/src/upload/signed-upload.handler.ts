// Registers files whose bytes come later, to signed URLs: whole (POST /v1/upload and /v1/files), or in parts (POST /v1/uploads).
import {
  filesOperations,
  type FilesInput,
  type FilesOutput,
  type partUploadFieldsSchema,
  type signedUploadSchema,
} from '@kiln/contracts';
import type { z } from 'zod';
import { expectedJobs, releasedIfRefused } from '../quota/quota.service.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { jobRequestOf } from './job-creator.adapter.js';
import { checkClaimedSize } from './store-stream.service.js';
import { assertReplaceable, newFileIds, type UploadFields } from './upload-fields.domain.js';

type UploadRequest<Fields extends UploadFields> = Pick<
  RouteRequest<object, object, Fields>,
  'body' | 'caller' | 'context' | 'ids'
>;
type Created = FilesOutput<'createUpload' | 'beginPartUpload'>;

export type SignedUpload = z.output<typeof signedUploadSchema>;

export function createUpload(request: UploadRequest<UploadFields>, services: GatewayServices): Promise<SignedUpload> {
  const call = (input: FilesInput<'createUpload'>) =>
    services.rpc.call(filesOperations.createUpload, input, request.context);
  return register(request, call, services);
}

export function beginUpload(
  request: UploadRequest<z.output<typeof partUploadFieldsSchema>>,
  services: GatewayServices,
): Promise<FilesOutput<'beginPartUpload'>> {
  const call = (input: FilesInput<'beginPartUpload'>) =>
    services.rpc.call(filesOperations.beginPartUpload, input, request.context);
  return register(request, call, services);
}

async function register<Fields extends UploadFields, Result extends Created>(
  { body: fields, caller, context, ids }: UploadRequest<Fields>,
  call: (input: Fields & ReturnType<typeof newFileIds>) => Promise<Result>,
  services: GatewayServices,
): Promise<Result> {
  assertReplaceable(fields);
  checkClaimedSize(fields, services.uploadBytesMax);
  const named = newFileIds(fields, ids);
  const reservation = await services.quota.admit(caller, expectedJobs(named.job_id, fields), context);
  const created = await releasedIfRefused(reservation, call({ ...fields, ...named }));
  // An upload in parts that replaces the content of a file has another id than the file.
  const id = 'file_id' in created && created.file_id !== undefined ? created.file_id : created.id;
  await services.jobCreator.create([jobRequestOf(fields, { ...created, id }, { ready: false })], context);
  return created;
}
