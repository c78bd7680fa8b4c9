/** The only variables of this process that a sandbox child gets to see: none of them can hold a secret. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LANG, TZ } = process.env;
  return { PATH, LANG, TZ };
}
