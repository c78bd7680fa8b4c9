// The Authorization header: a scheme and one value without spaces. The scheme's case does not matter (RFC 9110, 11.1).

export interface Credentials {
  /** The scheme in lower case. */
  scheme: string;
  value: string;
}

/** Returns null for a header of another form. */
export function credentialsOf(header: string): Credentials | null {
  const [, scheme, value] = /^([A-Za-z]+) +(\S+) *$/.exec(header) ?? [];
  return scheme === undefined || value === undefined ? null : { scheme: scheme.toLowerCase(), value };
}
