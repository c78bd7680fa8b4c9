import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, useMe } from '../api/me.js';
import { commandsOf, type ApiCall } from './api-call.js';
import { CommandHint } from './command-hint.js';

interface ActionCommandsProps {
  calls: readonly ApiCall[];
  /** The same on the command line of Kiln, if there is one call. */
  cli?: string;
}

/** Shows the actions of a page or a dialog that the key permits, to be copied as a command or as a program. */
export function ActionCommands({ calls, cli }: ActionCommandsProps) {
  const { data: me } = useMe();
  const [chosen, setChosen] = useState('');
  const shown = calls.filter(({ scope }) => me !== undefined && mayDo(me.scopes, scope));
  const call = shown.find(({ title }) => title === chosen) ?? shown[0];
  const { data: commands } = useQuery({
    queryKey: ['commands', call?.sdk, call?.args],
    queryFn: () => (call ? commandsOf(location.origin, call) : null),
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  if (!call || !commands) return null;
  return (
    <CommandHint
      title="The same from a terminal or a program"
      commands={{ ...commands, ...(cli !== undefined && { cli }) }}
    >
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
