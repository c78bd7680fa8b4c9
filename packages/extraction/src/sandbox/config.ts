/** The only environment variables that a sandbox child receives. None of them can contain a secret. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LANG, TZ } = process.env;
  return { PATH, LANG, TZ };
}
