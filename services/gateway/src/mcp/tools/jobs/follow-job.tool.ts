import { idSchema } from '@kiln/contracts';
import { z } from 'zod';
import { getJob } from '../../../jobs/get-job.handler.js';
import { inlineText } from '../../tool-text.domain.js';
import { defineTool, READS } from '../../tool.port.js';

const input = z.object({
  job_id: idSchema('job'),
  wait_seconds: z.int().min(0).max(50).default(30).describe('How long to wait for the end of the job.'),
});

export const followJobTool = defineTool({
  name: 'follow_job',
  title: 'Follow a job',
  description:
    'Waits until the processing of a file has ended, or until wait_seconds have passed, and returns the state of the job. Use it after upload_text. ' +
    'If the job has not ended, call it again.',
  scope: 'jobs:read',
  isForPortals: false,
  hints: READS,
  input,
  run: async ({ job_id, wait_seconds }, { context, http, services }) => {
    const asked = { params: { id: job_id }, query: { wait: wait_seconds }, context, http };
    const { id, file_id, status, step, progress, attempts, error } = await getJob(asked, services);
    const lines = [
      `${id} of ${file_id}: ${status}`,
      `step ${step ?? 'none'}, progress ${progress}, attempts ${attempts}`,
    ];
    if (error) lines.push(`error ${error.code}: ${inlineText(error.message)}`);
    return [{ type: 'text', text: lines.join('\n') }];
  },
});
