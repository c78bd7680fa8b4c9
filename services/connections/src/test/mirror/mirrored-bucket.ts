// A bucket whose objects the test knows, and the nodes that a sync must make of them.
import type { ObjectStore } from '@kiln/storage';
import { hasDotSegment } from '../hostile-keys.js';

export type Change =
  | { kind: 'put'; key: string; text: string }
  /** `at`, from 0 to 1, chooses one of the objects. */
  | { kind: 'delete'; at: number }
  | { kind: 'rename'; at: number; to: string };

export interface Version {
  sizeBytes: number;
  etag: string;
}

/** The versions of a key during a sync. Undefined: the object did not exist. */
type Versions = (Version | undefined)[];

export class MirroredBucket {
  private readonly objects = new Map<string, Version>();
  private readonly texts = new Map<string, string>();
  private changed = new Map<string, Versions>();

  constructor(private readonly store: ObjectStore) {}

  /** Forgets the versions before a sync. */
  beginSync(): void {
    this.changed = new Map();
  }

  get hasChanged(): boolean {
    return this.changed.size > 0;
  }

  async apply(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      const key = change.kind === 'put' ? change.key : this.keyAt(change.at);
      if (key === undefined) continue;
      if (change.kind === 'put') await this.put(key, change.text);
      else if (change.kind === 'delete') await this.remove(key);
      else await this.rename(key, change.to);
    }
  }

  private keyAt(at: number): string | undefined {
    const keys = [...this.texts.keys()].toSorted();
    return keys[Math.min(Math.floor(at * keys.length), keys.length - 1)];
  }

  /** As clients of stores rename an object: they copy it and delete the first one. */
  private async rename(key: string, to: string): Promise<void> {
    if (key === to) return;
    await this.put(to, this.texts.get(key) ?? '');
    await this.remove(key);
  }

  private async put(key: string, given: string): Promise<void> {
    // A marker with bytes is counted as skipped, which other specs test.
    const text = key.endsWith('/') ? '' : given;
    const { sizeBytes, etag } = await this.store.put(key, text, { contentType: 'text/plain' });
    this.texts.set(key, text);
    this.record(key, { sizeBytes, etag });
  }

  private async remove(key: string): Promise<void> {
    await this.store.delete(key);
    this.texts.delete(key);
    this.record(key, undefined);
  }

  private record(key: string, version: Version | undefined): void {
    const versions = this.changed.get(key) ?? [this.objects.get(key)];
    this.changed.set(key, [...versions, version]);
    if (version) this.objects.set(key, version);
    else this.objects.delete(key);
  }

  /** The keys that exist now, or existed at any time of the sync, with their versions meanwhile. */
  versions(prefix: string): Map<string, Versions> {
    const all = new Map<string, Versions>([...this.objects].map(([key, version]) => [key, [version]]));
    for (const [key, versions] of this.changed) all.set(key, versions);
    return new Map([...all].filter(([key]) => key.startsWith(prefix) && !hasDotSegment(key)));
  }
}

/** The paths of the folders that contain a key, and the key itself when it marks a folder. */
export function foldersAbove(key: string, prefix: string): string[] {
  const names = key.split('/');
  const root = prefix.split('/').length - 1;
  return names.slice(root, -1).map((_, at) => `${names.slice(0, root + at + 1).join('/')}/`);
}
