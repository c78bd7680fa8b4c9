import { expect, it } from '@jest/globals';
import type { FilesOutput, JobsInput } from '@kiln/contracts';
import { beginUpload } from './signed-upload.handler.js';

type Begun = Pick<FilesOutput<'beginPartUpload'>, 'id' | 'file_id' | 'job_id'>;
type Request = Parameters<typeof beginUpload>[0];
type Services = Parameters<typeof beginUpload>[1];

/** Returns the files of the jobs that the request creates at once. */
async function filesOfJobs(begun: Begun): Promise<string[]> {
  const files: string[] = [];
  const services = {
    uploadBytesMax: 100,
    quota: { admit: async () => ({ release: async () => undefined }) },
    rpc: { call: async () => begun },
    jobCreator: {
      create: async (jobs: (JobsInput<'createJobs'>['jobs'][number] | null)[]) =>
        void files.push(...jobs.flatMap((job) => job?.file_id ?? [])),
    },
  };
  const ids = { id: (kind: string) => `${kind}_of_the_request`, mayExist: false };
  const request = { body: { filename: 'a.md', size_bytes: 1 }, caller: {}, context: {}, ids };
  await beginUpload(request as unknown as Request, services as unknown as Services);
  return files;
}

it('a job is created for the file of the upload, which may be another one than the id of the upload', async () => {
  expect(await filesOfJobs({ id: 'file_upload', file_id: 'file_known', job_id: 'job_1' })).toStrictEqual([
    'file_known',
  ]);
  expect(await filesOfJobs({ id: 'file_new', job_id: 'job_2' })).toStrictEqual(['file_new']);
});
