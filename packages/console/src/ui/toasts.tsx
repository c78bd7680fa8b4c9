// Short messages about the outcome of an action. A message disappears after five seconds; an error stays until the user closes it.
import { useSyncExternalStore } from 'react';
import { Icon } from './icon.js';

interface Toast {
  id: number;
  kind: 'done' | 'failed';
  text: string;
}

const SHOWN_MS = 5_000;
const TOASTS_MAX = 4;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let nextId = 1;

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const close = (id: number) => change(toasts.filter((toast) => toast.id !== id));

export function showToast(text: string, kind: Toast['kind'] = 'done'): void {
  const id = nextId;
  nextId += 1;
  change([...toasts, { id, kind, text }].slice(-TOASTS_MAX));
  if (kind === 'done') setTimeout(() => close(id), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, kind, text }) => (
        <div key={id} className={`toast toast-${kind}`}>
          <Icon name={kind === 'done' ? 'check' : 'alert'} />
          <span>{text}</span>
          <button type="button" className="icon-button" aria-label="Close" onClick={() => close(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
