/** The variables that a launched system may inherit: none that point to other servers or data. */
export function inheritedForSystem(): Record<string, string> {
  const names = /^(PATH|HOME|LANG|LC_.*|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && names.test(entry[0]),
    ),
  );
}
