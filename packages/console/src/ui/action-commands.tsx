import { useState } from 'react';
import { CommandHint } from './command-hint.js';
import { commandsOf, type ApiCall } from './api-call.js';
import { useMe } from '../api/me.js';
import { mayDo } from '../api/scopes.js';

/** The actions of a page or a dialog, to be copied as a command or as a program. Shows only those that the key may call. */
export function ActionCommands({ calls }: { calls: readonly ApiCall[] }) {
  const { data: me } = useMe();
  const [chosen, setChosen] = useState('');
  const shown = calls.filter(({ scope }) => me !== undefined && mayDo(me.scopes, scope));
  const call = shown.find(({ title }) => title === chosen) ?? shown[0];
  if (!call) return null;
  return (
    <CommandHint title="The same from a terminal or a program" commands={commandsOf(location.origin, call)}>
      {shown.length > 1 && (
        <select aria-label="Action" value={call.title} onChange={({ target }) => setChosen(target.value)}>
          {shown.map(({ title }) => (
            <option key={title}>{title}</option>
          ))}
        </select>
      )}
    </CommandHint>
  );
}
