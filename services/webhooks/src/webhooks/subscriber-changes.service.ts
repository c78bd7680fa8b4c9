import { WakeUp } from '@kiln/platform';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SUBSCRIBERS_CHANGED } from '../wake-ups.events.js';
import { Subscribers } from './subscribers.service.js';

/** Makes every process forget what it remembers of webhooks when one of them changes some. */
@Injectable()
export class SubscriberChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private stopListening = () => {};

  constructor(
    private readonly subscribers: Subscribers,
    private readonly wakeUp: WakeUp,
  ) {}

  /** To be called after each change that the fan-out has to know, before it is answered. */
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
