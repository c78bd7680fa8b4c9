// What the handlers of one batch of events want to be done together: a statement for all instead of one for each.
import type { Transaction } from '../postgres/database.js';
import type { EventContext } from './event-context.js';

type Work = (transaction: Transaction, items: never[]) => Promise<void>;

export class TogetherWork {
  private readonly items = new Map<Work, unknown[]>();

  constructor(private readonly transaction: Transaction) {}

  readonly add: EventContext['together'] = (work, item) => {
    const items = this.items.get(work);
    if (items) items.push(item);
    else this.items.set(work, [item]);
  };

  async run(): Promise<void> {
    for (const [work, items] of this.items) await work(this.transaction, items as never[]);
  }
}
