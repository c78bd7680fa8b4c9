// An issuer of bearer tokens: publishes its public keys on its own port, signs tokens, rotates keys, and can stop responding.
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ISSUER = 'https://issuer.example';
export const AUDIENCE = 'kiln';

export type SigningAlgorithm = 'RS256' | 'ES256' | 'EdDSA';

export interface SigningKey {
  id: string;
  algorithm: SigningAlgorithm;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

export class TokenIssuer {
  private readonly published = new Map<string, JWK>();
  /** The number of requests for the keys. */
  asked = 0;
  silent = false;
  /** The status of its responses. */
  status = 200;

  private constructor(
    private readonly server: Server,
    readonly jwksUrl: string,
  ) {}

  static async start(): Promise<TokenIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const issuer = new TokenIssuer(server, `http://127.0.0.1:${port}/jwks`);
    server.on('request', (_request, response) => {
      issuer.asked++;
      response.statusCode = issuer.status;
      if (!issuer.silent) response.end(JSON.stringify({ keys: [...issuer.published.values()] }));
    });
    return issuer;
  }

  async newKey(algorithm: SigningAlgorithm, id: string): Promise<SigningKey> {
    return { id, algorithm, ...(await generateKeyPair(algorithm, { extractable: true })) };
  }

  async publish(key: SigningKey): Promise<void> {
    this.published.set(key.id, { ...(await exportJWK(key.publicKey)), kid: key.id, alg: key.algorithm, use: 'sig' });
  }

  withdraw(key: SigningKey): void {
    this.published.delete(key.id);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A token that is valid for five minutes, with these claims added; undefined claims are left out. By default it names its key. */
export function sign(key: SigningKey, claims: JWTPayload, named: { kid?: string } = { kid: key.id }): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const all = { iss: ISSUER, aud: AUDIENCE, iat: now, exp: now + 300, ...claims };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(given).setProtectedHeader({ alg: key.algorithm, ...named }).sign(key.privateKey);
}
