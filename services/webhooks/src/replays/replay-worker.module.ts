import { WakeUp } from '@kiln/platform';
import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { SendingModule } from '../sending/sending.module.js';
import { REPLAYS_WAKE_UP } from '../wake-ups.events.js';
import { ReplayWorker } from './replay.worker.js';
import { ReplaysModule } from './replays.module.js';

/** Part of the worker role: queues the events of replays. */
@Module({ imports: [ReplaysModule, DeliveriesModule, SendingModule], providers: [ReplayWorker] })
export class ReplayWorkerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopListening = () => {};

  constructor(
    private readonly worker: ReplayWorker,
    private readonly wakeUp: WakeUp,
  ) {}

  onApplicationBootstrap(): void {
    this.worker.start();
    this.stopListening = this.wakeUp.listen(REPLAYS_WAKE_UP, () => this.worker.wakeUp());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopListening();
    await this.worker.stop();
  }
}
