import { serverIsAway } from '../../../api/connectivity.js';
import { useMode } from '../../../api/me.js';
import { useStore } from '../../../api/use-store.js';
import { Icon } from '../../../ui/icon.js';

export function TestModeBanner() {
  if (useMode() === 'live') return null;
  return (
    <section className="banner" aria-label="Mode">
      <strong>Test mode</strong> <span>You see test data. Live files, searches and usage are untouched.</span>
    </section>
  );
}

export function AwayBanner() {
  const isAway = useStore(serverIsAway);
  return (
    <section role="status" aria-label="Connection">
      {isAway && (
        <div className="banner banner-away">
          <Icon name="alert" />
          <strong>The server does not answer.</strong>
          <span>What you see may be out of date. The console continues as soon as it is back.</span>
        </div>
      )}
    </section>
  );
}
