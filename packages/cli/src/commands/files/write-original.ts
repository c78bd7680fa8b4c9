// Downloads the bytes of a file, which are never all in memory.
import type { Context } from '../../context.js';
import { CommandFailure, usageError } from '../../exit-codes.js';

/** Without a path, the bytes are written to stdout, unless it is a terminal: they could rewrite what it shows. */
export async function writeOriginal(context: Context, id: string, path: string | undefined): Promise<void> {
  const { out } = context.terminal;
  if (path === undefined && out.isTerminal)
    throw usageError(`Nothing is written to a terminal. Give a path: kiln get ${id} --original -o PATH`);
  const { url } = await (await context.kiln()).files.download(id, { signal: context.signal });
  const bytes = await bytesAt(url, context.signal);
  if (path === undefined) return out.writeBytes(bytes);
  await writeWhole(path, bytes);
  context.talk(`The original is written to ${path}.`);
}

/** The address is signed, so no message contains it. `fetch` gives up after five minutes without a byte. */
async function bytesAt(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const response = await orUnreachable(signal, () => fetch(url, { signal }));
  if (response.ok) return read(response, signal);
  await response.body?.cancel();
  throw new CommandFailure(
    response.status >= 500 ? 'retry' : 'failed',
    `The object store responded with the status ${response.status}.`,
  );
}

async function* read({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const part = await orUnreachable(signal, async () => reader?.read());
      if (part === undefined || part.done) return;
      yield part.value;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

async function orUnreachable<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (signal.aborted) throw error;
    throw new CommandFailure('retry', 'The connection to the object store failed.');
  }
}

/** Writes beside the path first: a file of this name has all bytes, or those that it had before. A device or a pipe is not replaced. */
async function writeWhole(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const { rename, rm, stat, writeFile } = await import('node:fs/promises');
  const present = await stat(path).catch(() => null);
  if (present && !present.isFile()) return writeFile(path, bytes);
  const partial = `${path}.${process.pid}.part`;
  try {
    await writeFile(partial, bytes);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
