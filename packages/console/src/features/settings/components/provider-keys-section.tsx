// The organization's keys for providers. A stored key is never shown: only its last four characters.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { Button } from '../../../ui/button.js';
import { Notice } from '../../../ui/view-states.js';
import { useMayChange } from '../hooks/use-may-change.js';
import type { KeyedProvider } from '../lib/provider-names.js';
import { providerKeyCalls } from '../lib/settings-calls.js';
import { providerKeysQuery } from '../queries.js';
import { DeleteProviderKeyDialog } from './delete-provider-key-dialog.js';
import { ProviderKeyDialog } from './provider-key-dialog.js';
import { ProviderKeysTable } from './provider-keys-table.js';
import { SectionCard } from './section-card.js';

type Open = { kind: 'add' } | { kind: 'replace' | 'delete'; provider: KeyedProvider };

export function ProviderKeysSection() {
  const { data, error, refetch } = useQuery(providerKeysQuery(useKiln()));
  const mayChange = useMayChange();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const add = mayChange && (
    <Button kind="primary" onClick={() => setOpen({ kind: 'add' })}>
      Add a key
    </Button>
  );
  return (
    <>
      <SectionCard
        title="Provider keys"
        action={data && data.length > 0 && add}
        isLoaded={data !== undefined}
        error={error}
        refetch={refetch}
      >
        {data?.length === 0 ? (
          <Notice icon="key" title="No provider keys yet" action={add}>
            The keys of the operator are used. With a key of the organization, pages count at 60 %.
          </Notice>
        ) : (
          <ProviderKeysTable
            keys={data ?? []}
            mayChange={mayChange}
            onReplace={(provider) => setOpen({ kind: 'replace', provider })}
            onDelete={(provider) => setOpen({ kind: 'delete', provider })}
          />
        )}
      </SectionCard>
      <ActionCommands calls={providerKeyCalls} />
      {open?.kind === 'add' && (
        <ProviderKeyDialog taken={data?.map(({ provider }) => provider) ?? []} replaced={null} onClose={close} />
      )}
      {open?.kind === 'replace' && <ProviderKeyDialog taken={[]} replaced={open.provider} onClose={close} />}
      {open?.kind === 'delete' && <DeleteProviderKeyDialog provider={open.provider} onClose={close} />}
    </>
  );
}
