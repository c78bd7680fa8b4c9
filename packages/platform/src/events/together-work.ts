// What the handlers of one batch of events want to be done together: a statement for all instead of one for each.
import type { CommitContext, EventContext } from './event-context.js';

type Work = (items: never[], context: CommitContext) => Promise<void>;

export class TogetherWork {
  private readonly items = new Map<Work, unknown[]>();

  readonly add: EventContext['together'] = (work, item) => {
    const items = this.items.get(work);
    if (items) items.push(item);
    else this.items.set(work, [item]);
  };

  async run(context: CommitContext): Promise<void> {
    for (const [work, items] of this.items) await work(items as never[], context);
  }
}
