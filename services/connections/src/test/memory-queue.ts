// An in-memory queue with at-least-once delivery. It delivers a message again until the message is deleted.
import type { ChangeQueue, QueueMessage } from '@kiln/storage';

interface Kept {
  id: number;
  body: string;
  attributes: Record<string, string>;
  isHidden: boolean;
}

export class MemoryQueue implements ChangeQueue {
  /** Thrown by the next calls. */
  receiveError: Error | null = null;
  deleteError: Error | null = null;
  received = 0;
  private kept: Kept[] = [];
  private nextId = 0;

  get bodies(): string[] {
    return this.kept.map(({ body }) => body);
  }

  send(body: string, attributes: Record<string, string> = {}): void {
    this.kept.push({ id: this.nextId++, body, attributes, isHidden: false });
  }

  /** The time for which received messages are hidden has passed. */
  showAgain(): void {
    for (const each of this.kept) each.isHidden = false;
  }

  /** Changes the order of delivery. */
  shuffle(seed: number): void {
    this.kept.sort((a, b) => ((a.id * 7_919 + seed) % 101) - ((b.id * 7_919 + seed) % 101));
  }

  async receive(): Promise<QueueMessage[]> {
    this.received += 1;
    if (this.receiveError) throw this.receiveError;
    const visible = this.kept.filter(({ isHidden }) => !isHidden).slice(0, 10);
    for (const each of visible) each.isHidden = true;
    return visible.map(({ id, body, attributes }) => ({ body, attributes, receipt: { handle: String(id) } }));
  }

  async delete(messages: readonly QueueMessage[]): Promise<void> {
    if (this.deleteError) throw this.deleteError;
    const deleted = new Set(messages.map(({ receipt }) => receipt.handle));
    this.kept = this.kept.filter(({ id }) => !deleted.has(String(id)));
  }

  async check(): Promise<void> {
    if (this.receiveError) throw this.receiveError;
  }

  close(): void {
    // Nothing is open.
  }
}

/** A message as S3 writes it. */
export const s3Event = (bucket: string, ...keys: readonly string[]): string =>
  JSON.stringify({
    Records: keys.map((key) => ({
      eventSource: 'aws:s3',
      eventName: 'ObjectCreated:Put',
      s3: { bucket: { name: bucket }, object: { key: encodeURIComponent(key).replaceAll('%20', '+') } },
    })),
  });
