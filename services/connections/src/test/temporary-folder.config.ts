/** Lets `run` have another temporary folder, such as one that does not exist. */
export async function withTemporaryFolder<T>(path: string, run: () => Promise<T>): Promise<T> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = path;
  try {
    return await run();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
