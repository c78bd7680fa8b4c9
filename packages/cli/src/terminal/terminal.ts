// The streams of the command: data to `out`, everything else to `err`.

export interface Channel {
  isTerminal: boolean;
  /** Of a terminal. */
  columns: number;
  hasColors: boolean;
  write(text: string): void;
}

export interface Terminal {
  out: Channel;
  err: Channel;
  /** Whether questions can be asked. */
  isInteractive: boolean;
  /** The text that is piped into the command. */
  readInput(): Promise<string>;
}

const COLUMNS = 80;

export function processTerminal(isColorless: boolean): Terminal {
  const channelOf = (stream: NodeJS.WriteStream): Channel => ({
    isTerminal: stream.isTTY,
    get columns() {
      // A terminal that does not know its width says 0.
      return stream.columns || COLUMNS;
    },
    hasColors: stream.isTTY && !isColorless,
    write: (text) => void stream.write(text),
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
