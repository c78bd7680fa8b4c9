/** The environment of Python: it finds its package index there. What is imported leaves no compiled files in the sources. */
export const pythonEnvironment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PYTHONDONTWRITEBYTECODE: '1',
  NO_PROXY: '127.0.0.1',
  ...more,
});
