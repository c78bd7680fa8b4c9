// Real: name servers on loopback that never answer.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { NameNotFoundError, resolveByDns } from './resolve-host.js';

const sockets: Socket[] = [];
let asked = 0;
beforeAll(async () => {
  for (let count = 0; count < 3; count++) {
    const socket = createSocket('udp4').on('message', () => asked++);
    sockets.push(socket);
    await once(socket.bind(0, '127.0.0.1'), 'listening');
  }
});
afterAll(() => sockets.forEach((socket) => socket.close()));

it('gives up at its deadline, however many name servers are left to be asked', async () => {
  const servers = sockets.map((socket) => `127.0.0.1:${socket.address().port}`);
  await expect(resolveByDns('name.example', { servers, deadlineMs: 100 })).rejects.toThrow(NameNotFoundError);
  // The first server only, for each kind of address at most once.
  expect(asked).toBeLessThanOrEqual(2);
});
