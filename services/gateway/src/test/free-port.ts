import { createServer } from 'node:net';

const LOWEST = 20_000;
/** From here up the kernel picks ports for outgoing connections. */
const HIGHEST = 32_767;

/** A port without a listener. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
