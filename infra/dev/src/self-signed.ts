// Creates certificates for tests: X.509 in DER (RFC 5280), with a new key.
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const prefix = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...prefix), content]);
}

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'));

export interface Certificate {
  readonly hostname: string;
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
}

/** For a host of this name. With `issuer`, the certificate is signed by that one instead of itself. */
export function selfSigned(hostname: string, issuer?: Certificate): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const nameOf = (name: string) =>
    der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(name)))));
  const validity = der(
    SEQUENCE,
    der(UTC_TIME, Buffer.from('200101000000Z')),
    der(UTC_TIME, Buffer.from('490101000000Z')),
  );
  const serial = der(INTEGER, Buffer.of(1), randomBytes(8));
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const issuedBy = nameOf(issuer?.hostname ?? hostname);
  const certificate = der(SEQUENCE, serial, ECDSA_WITH_SHA256, issuedBy, validity, nameOf(hostname), publicKeyInfo);
  const signature = createSign('sha256')
    .update(certificate)
    .sign(issuer?.key ?? privateKey);
  const signed = der(SEQUENCE, certificate, ECDSA_WITH_SHA256, der(BIT_STRING, Buffer.of(0), signature));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    hostname,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
