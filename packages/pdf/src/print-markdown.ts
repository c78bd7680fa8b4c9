import { basename } from 'node:path';
import { ExtractionError } from './extraction-error.js';

/** A program that prints the markdown of the file in its argument. A failure is a message and exit code 1. */
export async function printMarkdown(read: (path: string, filename: string) => Promise<string>): Promise<void> {
  const [path, ...others] = process.argv.slice(2);
  try {
    if (path === undefined || others.length > 0) throw new ExtractionError('unsupported_type', 'Name one file.');
    process.stdout.write(await read(path, basename(path)));
  } catch (error) {
    process.stderr.write(`${messageOf(error, path)}\n`);
    process.exitCode = 1;
  }
}

function messageOf(error: unknown, path = ''): string {
  if (error instanceof ExtractionError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return `There is no file "${path}".`;
  if (code === 'EISDIR') return `"${path}" is a directory.`;
  return `"${path}" could not be read: ${error instanceof Error ? error.message : String(error)}`;
}
