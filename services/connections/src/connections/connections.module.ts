import { Module } from '@nestjs/common';
import { BucketAccessModule } from './bucket-access.module.js';
import { CheckConnections } from './check-connections.usecase.js';
import { ConnectionsController } from './connections.controller.js';
import { ManageConnections } from './manage-connections.usecase.js';
import { SetupInstructions } from './setup-instructions.usecase.js';

/** Connections as their owner sees them: created, tested, changed and deleted. */
@Module({
  imports: [BucketAccessModule],
  controllers: [ConnectionsController],
  providers: [ManageConnections, CheckConnections, SetupInstructions],
})
export class ConnectionsModule {}
