import type { Context, Define } from '../../context.js';
import { checkId, integer } from '../options.js';
import { failUnlessCompleted, waitForJob } from '../wait-for-jobs.js';

interface Options {
  wait?: boolean;
  timeout: number;
}

export const define: Define = (command, use) =>
  void command
    .argument('<job>', 'the id of a failed job')
    .option('--wait', 'wait until it has ended; the exit code is that of its outcome')
    .option('--timeout <seconds>', 'the longest --wait', integer(1, 86_400), 600)
    .action(use(retry));

async function retry(context: Context, id: string, { wait, timeout }: Options): Promise<void> {
  checkId(id, 'job');
  const kiln = await context.kiln();
  const { signal } = context;
  const { status } = await kiln.jobs.retry(id, { signal });
  context.talk(`${id} ${status}`);
  if (wait !== true) return;
  const job = await waitForJob(context, kiln, id, timeout);
  context.talk(`${id} ${job.status}`);
  failUnlessCompleted(job);
}
