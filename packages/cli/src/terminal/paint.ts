import { styleText } from 'node:util';
import type { Channel } from './terminal.js';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

export const paint = (channel: Channel, style: Style, text: string): string =>
  channel.hasColors ? styleText(style, text, { validateStream: false }) : text;

const styles: Readonly<Record<string, Style>> = {
  completed: 'green',
  active: 'green',
  uploaded: 'green',
  failed: 'red',
  error: 'red',
  cancelled: 'yellow',
  processing: 'cyan',
  syncing: 'cyan',
};

/** Colors a status by what it means. */
export function paintStatus(channel: Channel, status: string): string {
  const style = styles[status.trimEnd()];
  return style ? paint(channel, style, status) : status;
}
