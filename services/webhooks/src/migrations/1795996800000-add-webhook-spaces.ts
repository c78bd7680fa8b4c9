import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddWebhookSpaces1795996800000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhooks add column spaces text[]');
  }
}
