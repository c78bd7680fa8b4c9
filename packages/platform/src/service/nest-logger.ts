// Writes Nest's messages to the log of the process. Its start-up messages are logged at debug level.
import type { LoggerService } from '@nestjs/common';
import type { Logger } from '../observability/logger.js';

export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, detail?: unknown): void {
    this.logger.error({ err: message instanceof Error ? message : undefined, detail }, String(message));
  }

  fatal(message: unknown, detail?: unknown): void {
    this.error(message, detail);
  }

  debug(message: unknown): void {
    this.logger.debug(String(message));
  }

  verbose(message: unknown): void {
    this.logger.trace(String(message));
  }
}
