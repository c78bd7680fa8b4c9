// Shared by the integration specs: the use cases of uploads in parts, as the module wires them, and a client that sends parts.
import type { FilesInput, FilesOutput } from '@kiln/contracts';
import { AbortPartUpload } from '../parts/abort-part-upload.usecase.js';
import { BeginPartUpload } from '../parts/begin-part-upload.usecase.js';
import { CompletePartUpload } from '../parts/complete-part-upload.usecase.js';
import { FindPartUpload } from '../parts/find-part-upload.service.js';
import { ReadPartUpload } from '../parts/read-part-upload.usecase.js';
import { SignParts } from '../parts/sign-parts.usecase.js';
import { StartAtStore } from '../parts/start-at-store.service.js';
import { ReceiveUpload } from '../uploads/receive-upload.usecase.js';
import { directUpload, type FilesHarness } from './files-harness.js';
import { replacementParts } from './replacement-parts.js';

const DAY_SECONDS = 86_400;
const SIGNED_URL_SECONDS = 3_600;
export const PART_BYTES = 5 * 1024 * 1024;

export const partUpload = (
  sizeBytes: number,
  overrides: Partial<FilesInput<'beginPartUpload'>> = {},
): FilesInput<'beginPartUpload'> => ({
  ...directUpload({ filename: 'large.bin' }),
  size_bytes: sizeBytes,
  part_bytes: PART_BYTES,
  ...overrides,
});

/** `objects` stands in for the object store. */
export function partCalls(
  kiln: FilesHarness,
  {
    objects = kiln.objects,
    uploadBytesMax = 100_000_000,
  }: { objects?: FilesHarness['objects']; uploadBytesMax?: number } = {},
) {
  const { database, files, arrivals, partUploads, replacements } = kiln;
  const { receiveReplacement } = replacementParts(kiln, uploadBytesMax);
  const find = new FindPartUpload(files, partUploads, replacements);
  const start = new StartAtStore(partUploads, objects);
  const receive = new ReceiveUpload(
    database,
    files,
    arrivals,
    objects,
    uploadBytesMax,
    { wakeUp: () => undefined },
    receiveReplacement,
  );
  return {
    begin: new BeginPartUpload(kiln.registerFiles, partUploads, start, DAY_SECONDS),
    sign: new SignParts(find, start, objects, SIGNED_URL_SECONDS),
    read: new ReadPartUpload(find, receive, objects),
    complete: new CompletePartUpload(find, receive, objects),
    abort: new AbortPartUpload(find, kiln.deleteFiles, receiveReplacement),
  };
}

type SignedPart = FilesOutput<'signParts'>['parts'][number];

export async function putPart({ url, headers }: SignedPart, body: Buffer): Promise<number> {
  const response = await fetch(url, { method: 'PUT', headers, body: Buffer.from(body) });
  await response.arrayBuffer();
  return response.status;
}
