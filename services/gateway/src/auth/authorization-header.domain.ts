// The Authorization header: a scheme and one value without spaces. The scheme's case does not matter (RFC 9110, 11.1).

export interface Credentials {
  /** The scheme in lower case. */
  scheme: string;
  value: string;
}

/** Returns null without the header, and for one of another form. */
export function credentialsOf(header: string | undefined): Credentials | null {
  const [, scheme, value] = /^([A-Za-z]+) +(\S+) *$/.exec(header ?? '') ?? [];
  return scheme === undefined || value === undefined ? null : { scheme: scheme.toLowerCase(), value };
}
