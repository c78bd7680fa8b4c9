// The exit codes of all commands. Help and documentation are generated from this table.

export const exitCodes = {
  ok: { code: 0, means: 'done' },
  failed: { code: 1, means: 'the request failed, or a job that was waited for has failed' },
  usage: { code: 2, means: 'a wrong command, option, file or setting; nothing was sent' },
  auth: { code: 4, means: 'no key, a wrong key, or a key without the scope' },
  retry: { code: 5, means: 'the server is busy or unreachable: try again later' },
  pending: { code: 8, means: 'the time of --timeout is over, and the work continues' },
  interrupted: { code: 130, means: 'ended by Ctrl-C' },
} as const;

export type ExitName = keyof typeof exitCodes;

/** Ends a command with an exit code. The message is shown, unless it is empty because the output says it already. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    readonly exit: Exclude<ExitName, 'ok'>,
    message = '',
  ) {
    super(message);
  }
}

export const usageError = (message: string) => new CommandFailure('usage', message);

export const exitCodesHelp = (): string =>
  ['Exit codes:', ...Object.values(exitCodes).map(({ code, means }) => `  ${String(code).padEnd(4)} ${means}`)].join(
    '\n',
  );
