// POST /v1/nodes/upload/commit: the object in the bucket becomes a node, the node a file, and the file gets a job.
import {
  connectionsOperations,
  encodeId,
  filesOperations,
  jobsOperations,
  type nodeCommittedSchema,
} from '@kiln/contracts';
import type { z } from 'zod';
import { idGiven } from '../routes/given-id.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { expectedJob } from '../quota/quota.service.js';
import { wasRefused } from '../upload/register-file.adapter.js';

export async function commitNodeUpload(
  { body, caller, context, ids }: RouteRequest<object, object, { node_id: string }>,
  services: GatewayServices,
): Promise<z.output<typeof nodeCommittedSchema>> {
  const node_id = idGiven('node', body.node_id);
  const node = await services.rpc.call(connectionsOperations.commitNodeUpload, { node_id }, context);
  const job_id = encodeId('job', ids.uuid('job'));
  const reservation = await services.quota.admit(caller, [expectedJob(job_id, node)], context);
  const input = { node, file_id: encodeId('file', ids.uuid('file')), job_id, processing: {} };
  const made = await services.rpc.call(filesOperations.processNode, input, context).catch(async (error: unknown) => {
    if (wasRefused(error)) await reservation.release();
    throw error;
  });
  await services.jobCreator.create([made.job], context);
  const committed = { node_id: node.node_id, file_id: made.file_id, job_id: made.job_id };
  if (made.job !== null) return { ...committed, status: 'queued' };
  // The upload was committed before: its job is returned. It has pages of its own, unless an attempt under the same key made it.
  if (made.job_id !== job_id) await reservation.release();
  const { status } = await services.rpc.call(jobsOperations.getJob, { id: made.job_id }, context);
  return { ...committed, status };
}
