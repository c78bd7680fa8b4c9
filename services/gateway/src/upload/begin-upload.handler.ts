// POST /v1/uploads registers a file whose bytes come in parts, as an upload to a signed URL does.
import { filesOperations, type FilesOutput, type partUploadFieldsSchema } from '@kiln/contracts';
import type { z } from 'zod';
import { expectedJob, releasedIfRefused } from '../quota/quota.service.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { jobRequestOf } from './job-creator.adapter.js';
import { checkClaimedSize } from './store-stream.service.js';
import { assertReplaceable, newFileIds } from './upload-fields.domain.js';

type PartUploadFields = z.output<typeof partUploadFieldsSchema>;

export async function beginUpload(
  { body: fields, caller, context, ids }: RouteRequest<object, object, PartUploadFields>,
  services: GatewayServices,
): Promise<FilesOutput<'beginPartUpload'>> {
  assertReplaceable(fields);
  checkClaimedSize(fields, services.uploadBytesMax);
  const { file_id, job_id } = newFileIds(fields, ids);
  const reservation = await services.quota.admit(caller, job_id === null ? [] : [expectedJob(job_id, fields)], context);
  const call = services.rpc.call(filesOperations.beginPartUpload, { ...fields, file_id, job_id }, context);
  const begun = await releasedIfRefused(reservation, call);
  // An upload that replaces the content of a file has another id than the file.
  const file = { ...begun, id: begun.file_id ?? begun.id };
  await services.jobCreator.create([jobRequestOf(fields, file, { ready: false })], context);
  return begun;
}
