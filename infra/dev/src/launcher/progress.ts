/** Progress output on the terminal: one line per step, with the time since the start. */
export interface Progress {
  readonly step: (line: string) => void;
  readonly warn: (line: string) => void;
}

export function consoleProgress(startedAt = 0): Progress {
  const elapsed = () => `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)}s`;
  return {
    step: (line) => console.log(`${elapsed()}  ${line}`),
    warn: (line) => console.error(`${elapsed()}  ${line}`),
  };
}
