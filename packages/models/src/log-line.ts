/** Logs of the model server: one JSON object a line, with the fields of the services' logs. */
export function logLine(level: 'info' | 'warn' | 'error', msg: string, more: object = {}): void {
  process.stdout.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), service: 'models', msg, ...more })}\n`,
  );
}
