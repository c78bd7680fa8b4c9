/** What the person at the terminal sees: one line per step with the time since the process began. */
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
