import { WakeUp } from '@kiln/platform';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SUBSCRIBERS_CHANGED } from '../wake-ups.events.js';
import { Subscribers } from './subscribers.service.js';

/** Clears the cached webhooks in every process when a process changes some. */
@Injectable()
export class SubscriberChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private stopListening = () => {};

  constructor(
    private readonly subscribers: Subscribers,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Call it after each change that the fan-out must see, before the change is acknowledged. */
  announce(): void {
    this.subscribers.forget();
    this.wakeUp.send(SUBSCRIBERS_CHANGED);
  }

  onApplicationBootstrap(): void {
    this.stopListening = this.wakeUp.listen(SUBSCRIBERS_CHANGED, () => this.subscribers.forget());
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }
}
