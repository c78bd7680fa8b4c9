// POST /v1/nodes/upload/commit makes a node of the object in the bucket and a file of the node, and gives the file a job.
import { connectionsOperations, filesOperations, jobsOperations, type nodeCommittedSchema } from '@kiln/contracts';
import type { z } from 'zod';
import { idGiven } from '../routes/given-id.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { expectedJobs, releasedIfRefused } from '../quota/quota.service.js';

export async function commitNodeUpload(
  { body, caller, context, ids }: RouteRequest<object, object, { node_id: string }>,
  services: GatewayServices,
): Promise<z.output<typeof nodeCommittedSchema>> {
  const node_id = idGiven('node', body.node_id);
  const node = await services.rpc.call(connectionsOperations.commitNodeUpload, { node_id }, context);
  const job_id = ids.id('job');
  const reservation = await services.quota.admit(caller, expectedJobs(job_id, node), context);
  const input = { node, file_id: ids.id('file'), job_id, processing: {} };
  const made = await releasedIfRefused(reservation, services.rpc.call(filesOperations.processNode, input, context));
  await services.jobCreator.create([made.job], context);
  const committed = { node_id: node.node_id, file_id: made.file_id, job_id: made.job_id };
  if (made.job !== null) return { ...committed, status: 'queued' };
  // The upload was committed before: its job is returned. It has pages of its own, unless an attempt under the same key made it.
  if (made.job_id !== job_id) await reservation.release();
  const { status } = await services.rpc.call(jobsOperations.getJob, { id: made.job_id }, context);
  return { ...committed, status };
}
