// Short messages about the outcome of an action. A message disappears after five seconds; an error stays until the user closes it.
import { Store } from '../api/store.js';
import { useStore } from '../api/use-store.js';
import { IconButton } from './button.js';
import { Icon } from './icon.js';
import './toasts.css';

interface Toast {
  id: number;
  kind: 'done' | 'failed';
  text: string;
}

const SHOWN_MS = 5_000;
const TOASTS_MAX = 4;
const toasts = new Store<readonly Toast[]>([]);
let nextId = 1;

const close = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id));

export function showToast(text: string, kind: Toast['kind'] = 'done'): void {
  const id = nextId;
  nextId += 1;
  toasts.set([...toasts.get(), { id, kind, text }].slice(-TOASTS_MAX));
  if (kind === 'done') setTimeout(() => close(id), SHOWN_MS);
}

export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, kind, text }) => (
        <div key={id} className={`toast toast-${kind}`}>
          <Icon name={kind === 'done' ? 'check' : 'alert'} />
          <span>{text}</span>
          <IconButton icon="close" label="Close" onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
