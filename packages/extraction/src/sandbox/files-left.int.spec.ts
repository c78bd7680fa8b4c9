// Real: HTTP on loopback, files on disk, child processes. Faked: nothing. A test replaces the folder by a file, so removals from it fail.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { ExtractorServer, type ExtractorServerOptions } from './extractor-server.js';
import { createRemoteSandbox } from './remote-sandbox.js';
import { createSandbox } from './sandbox.js';

const never = new AbortController().signal;
const notRemoved = expect.objectContaining({ code: 'ENOTDIR' }) as unknown;

describe('clean-up after a document', () => {
  let scratch: Scratch;
  let directory: string;
  let reports: unknown[];
  let unhandled: unknown[];
  const onFilesLeft = (error: unknown) => void reports.push(error);
  const onUnhandled = (error: unknown) => void unhandled.push(error);
  const breakDirectory = async () => {
    await rename(directory, `${directory}-moved`);
    await writeFile(directory, '');
  };
  const repairDirectory = async () => {
    await rm(directory);
    await rename(`${directory}-moved`, directory);
  };
  beforeEach(async () => {
    [reports, unhandled] = [[], []];
    process.on('unhandledRejection', onUnhandled);
    scratch = await Scratch.make();
    directory = join(scratch.path, 'documents');
    await mkdir(directory);
  });
  afterEach(async () => {
    process.off('unhandledRejection', onUnhandled);
    await scratch.remove();
  });

  async function startExtractor(countPages: ExtractorServerOptions['sandbox']['countPages']) {
    const none = () => Promise.reject(new Error('not asked for'));
    const sandbox = { extract: none, makeThumbnail: none, readProperties: none, drawPage: none, countPages };
    const limits = { documentsMax: 1, inputBytesMax: 1_024, receiveDeadlineMs: 60_000 };
    const server = new ExtractorServer({ sandbox, directory, ...limits, onFilesLeft });
    const port = await server.listen(0, '127.0.0.1');
    const remote = createRemoteSandbox({ url: `http://127.0.0.1:${port}`, deadlineMs: 60_000 });
    const close = async () => {
      await remote.close();
      await server.close();
    };
    return { remote, server, close };
  }

  it('of an extractor is reported where it fails, and the extractor answers and takes further documents', async () => {
    let pages = 0;
    const { remote, server, close } = await startExtractor(async () => {
      if (++pages === 1) await breakDirectory();
      return pages;
    });
    const input = await scratch.input('a.pdf', 'application/pdf', 'x');
    expect(await remote.countPages(input, never)).toBe(1);
    await eventually(() => expect([reports, server.documents]).toStrictEqual([[notRemoved], 0]));
    await repairDirectory();
    expect(await remote.countPages(input, never)).toBe(2);
    await close();
    expect(unhandled).toStrictEqual([]);
  });

  it('of a sandbox is reported where it fails, and the sandbox starts a new child', async () => {
    const sandbox = createSandbox({ processes: 1, isolation: 'preferred', directory, onFilesLeft });
    const read = () => scratch.run(sandbox, 'a.csv', 'text/csv', 'a,b\n1,2\n');
    await read();
    await breakDirectory();
    for (const pid of sandbox.pids()) process.kill(pid, 'SIGKILL');
    await eventually(() => expect([reports, sandbox.pids()]).toStrictEqual([[notRemoved], []]));
    await repairDirectory();
    expect((await read()).markdown).toContain('| 1');
    await breakDirectory();
    await sandbox.close();
    expect([reports, unhandled]).toStrictEqual([[notRemoved, notRemoved], []]);
    await repairDirectory();
  });
});
