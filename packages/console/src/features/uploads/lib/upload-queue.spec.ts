import { describe, expect, it } from '@jest/globals';
import { UploadQueue, type QueuedFile } from './upload-queue.js';

interface Sending {
  file: QueuedFile;
  onSent: (bytes: number) => void;
  end: (error?: Error) => void;
}

function queueOf(count: number) {
  const sending: Sending[] = [];
  const idle: number[] = [];
  const queue = new UploadQueue(
    (file, onSent) =>
      new Promise<void>((resolve, reject) => {
        sending.push({ file, onSent, end: (error) => (error ? reject(error) : resolve()) });
      }),
    ({ counts }) => idle.push(counts.stored),
  );
  const files = Array.from({ length: count }, (_, index) => ({
    blob: new Blob(['12345']),
    name: `${index}.txt`,
    path: `folder/${index}.txt`,
  }));
  queue.add(files, null);
  const end = async (index: number, error?: Error) => {
    const ended = sending[index];
    ended?.end(error);
    // The queue continues with the next file in the microtask in which it changes the state of this one.
    while (ended?.file.state === 'sending') await Promise.resolve();
  };
  return { queue, sending, idle, end };
}

describe('the queue of uploads', () => {
  it('sends four files at a time, in order', async () => {
    const { queue, sending, end } = queueOf(6);
    expect(sending.map(({ file }) => file.name)).toStrictEqual(['0.txt', '1.txt', '2.txt', '3.txt']);
    await end(2);
    expect(sending.map(({ file }) => file.name).at(-1)).toBe('4.txt');
    expect(queue.state.get().counts).toStrictEqual({ waiting: 1, sending: 4, stored: 1, failed: 0 });
  });

  it('begins no file while it is paused, and continues where it was', async () => {
    const { queue, sending, end } = queueOf(6);
    queue.pause();
    await end(0);
    expect([sending.length, queue.state.get().isPaused]).toStrictEqual([4, true]);
    queue.resume();
    expect(sending.at(-1)?.file.name).toBe('4.txt');
  });

  it('counts the bytes that are sent, at most those of the file', async () => {
    const { queue, sending, end } = queueOf(2);
    sending[0]?.onSent(3);
    sending[1]?.onSent(900);
    expect(queue.state.get()).toMatchObject({ sentBytes: 8, totalBytes: 10 });
    await end(0);
    expect(queue.state.get().sentBytes).toBe(10);
  });

  it('keeps failed files with their reason, and sends them again', async () => {
    const { queue, sending, idle, end } = queueOf(2);
    await end(0, new Error('The disk is full.'));
    await end(1);
    expect(queue.state.get().files[0]).toMatchObject({ state: 'failed', error: 'The disk is full.' });
    expect(idle).toStrictEqual([1]);
    queue.retryFailed();
    await end(2);
    expect(sending).toHaveLength(3);
    expect(idle).toStrictEqual([1, 2]);
  });

  it('sends a file under the same key again, so that it is stored once although the first response was lost', async () => {
    const { queue, sending, end } = queueOf(2);
    await end(0, new Error('The connection failed.'));
    queue.retryFailed();
    const [first, second, again] = sending.map(({ file }) => file.key);
    expect([again === first, first === second]).toStrictEqual([true, false]);
  });

  it('forgets the last files when new ones come after their end', async () => {
    const { queue, end } = queueOf(1);
    await end(0);
    queue.add([{ blob: new Blob([]), name: 'new.txt', path: 'new.txt' }], null);
    expect(queue.state.get().files.map(({ name }) => name)).toStrictEqual(['new.txt']);
  });

  it('sends new files at once, although it was paused while the last ones were sent to their end', async () => {
    const { queue, sending, end } = queueOf(2);
    queue.pause();
    await end(0);
    await end(1);
    queue.add([{ blob: new Blob(['new']), name: 'new.txt', path: 'new.txt' }], null);
    expect(sending.at(-1)?.file.name).toBe('new.txt');
  });

  it('is empty after it was cleared, whatever ends later', async () => {
    const { queue, idle, end } = queueOf(5);
    queue.clear();
    await end(0);
    expect(queue.state.get().files).toStrictEqual([]);
    expect(idle).toStrictEqual([]);
  });
});
