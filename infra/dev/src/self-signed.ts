// Creates a self-signed certificate for tests: X.509 in DER (RFC 5280), with a new key.
import { createSign, generateKeyPairSync } from 'node:crypto';

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

/** For a host of this name, in PEM. */
export function selfSigned(hostname: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(hostname)))));
  const validity = der(
    SEQUENCE,
    der(UTC_TIME, Buffer.from('200101000000Z')),
    der(UTC_TIME, Buffer.from('490101000000Z')),
  );
  const serial = der(INTEGER, Buffer.of(1));
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const certificate = der(SEQUENCE, serial, ECDSA_WITH_SHA256, name, validity, name, publicKeyInfo);
  const signature = createSign('sha256').update(certificate).sign(privateKey);
  const signed = der(SEQUENCE, certificate, ECDSA_WITH_SHA256, der(BIT_STRING, Buffer.of(0), signature));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
