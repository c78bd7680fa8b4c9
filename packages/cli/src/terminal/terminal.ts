// The streams of the command: data to `out`, everything else to `err`.
import { once } from 'node:events';

export interface Channel {
  isTerminal: boolean;
  /** Of a terminal. */
  columns: number;
  hasColors: boolean;
  write(text: string): void;
}

export interface DataChannel extends Channel {
  /** Reads on when the reader of the channel has caught up. */
  writeBytes(bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

export interface Terminal {
  out: DataChannel;
  err: Channel;
  /** Whether questions can be asked. */
  isInteractive: boolean;
  /** The text that is piped into the command. */
  readInput(): Promise<string>;
}

const COLUMNS = 80;

export function processTerminal(isColorless: boolean): Terminal {
  const channelOf = (stream: NodeJS.WriteStream): DataChannel => ({
    isTerminal: stream.isTTY,
    get columns() {
      // A terminal that does not know its width says 0.
      return stream.columns || COLUMNS;
    },
    hasColors: stream.isTTY && !isColorless,
    write: (text) => void stream.write(text),
    writeBytes: async (bytes) => {
      for await (const part of bytes) if (!stream.write(part)) await once(stream, 'drain');
    },
  });
  return {
    out: channelOf(process.stdout),
    err: channelOf(process.stderr),
    isInteractive: process.stdin.isTTY && process.stderr.isTTY,
    readInput: async () => {
      if (process.stdin.isTTY) return '';
      const { text } = await import('node:stream/consumers');
      return text(process.stdin);
    },
  };
}
