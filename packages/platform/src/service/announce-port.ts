// A process whose port is configured as 0 lets the system choose a free one. It reports the choice to the process that started it.

export interface AnnouncedPort {
  listener: 'health' | 'gateway' | 'extractor';
  port: number;
}

/** Reports a bound port over the IPC channel, if the process was started with one. */
export function announcePort(listener: AnnouncedPort['listener'], port: number): void {
  process.send?.({ listener, port } satisfies AnnouncedPort);
}
