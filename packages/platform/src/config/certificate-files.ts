// The certificates that a server's address names, as PostgreSQL's clients write them: `?sslrootcert=<file>&sslcert=<file>&sslkey=<file>`.
// The address of Postgres needs no code for them.

/** Paths of PEM files. */
export interface CertificateFiles {
  /** The authorities that are trusted instead of the well-known ones. */
  caFile?: string;
  /** The client's own certificate and its key. */
  certFile?: string;
  keyFile?: string;
}

export function certificateFilesOf({ searchParams }: URL): CertificateFiles {
  const file = (name: string) => searchParams.get(name) ?? undefined;
  const [caFile, certFile, keyFile] = [file('sslrootcert'), file('sslcert'), file('sslkey')];
  return { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
}
