/** A DNS server on loopback that knows `*.kiln.test`, and the resolver of this mount namespace that asks only it. */
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Place } from '../place.js';

const ADDRESS = '127.0.0.153';
const DNS_PORT = 53;
const TYPE_A = 1;
const TTL_SECONDS = 1;
const NAME_OFFSET = 0xc00c;
const HEADER_BYTES = 12;

export interface NameServer {
  /** If false, it receives queries and sends nothing. */
  answers: boolean;
}

export async function useNameServer(place: Place): Promise<NameServer> {
  const state: NameServer = { answers: true };
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    if (state.answers) socket.send(answerTo(query), port, address);
  });
  socket.bind(DNS_PORT, ADDRESS);
  await once(socket, 'listening');
  place.atEnd(() => socket.close());
  const path = place.folder('resolv.conf');
  writeFileSync(path, `nameserver ${ADDRESS}\n`);
  execFileSync('mount', ['--bind', path, '/etc/resolv.conf']);
  place.atEnd(() => execFileSync('umount', ['/etc/resolv.conf']));
  return state;
}

/** 127.0.0.1 for a name below kiln.test. No records for other types. Other names do not exist. */
export function answerTo(query: Buffer): Buffer {
  let end = HEADER_BYTES;
  const labels: string[] = [];
  for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
    labels.push(query.toString('latin1', end + 1, end + 1 + length).toLowerCase());
    end += length + 1;
  }
  const type = query.readUInt16BE(end + 1);
  const question = query.subarray(HEADER_BYTES, end + 5);
  const isKnown = labels.slice(-2).join('.') === 'kiln.test';
  const record = isKnown && type === TYPE_A ? addressRecord() : Buffer.alloc(0);
  const head = Buffer.alloc(HEADER_BYTES);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(isKnown ? 0x8580 : 0x8583, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(record.length > 0 ? 1 : 0, 6);
  return Buffer.concat([head, question, record]);
}

function addressRecord(): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(NAME_OFFSET, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  record.set([127, 0, 0, 1], 12);
  return record;
}
