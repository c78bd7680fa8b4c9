// In the place of the documents while there is no valid token.
import type { SessionState } from '../../api/session.js';
import { useServerIsAway } from '../../api/use-server-is-away.js';
import { Notice, SkeletonRows, type NoticeProps } from '../../ui/view-states.js';

interface SessionScreenProps {
  state: Exclude<SessionState, { kind: 'open' }>;
  /** Whether another page shows this one, which can renew the token. */
  isFramed: boolean;
}

export function SessionScreen({ state, isFramed }: SessionScreenProps) {
  const isAway = useServerIsAway();
  if (state.kind === 'checking') {
    if (!isAway) return <SkeletonRows rows={8} label="Opening the documents" />;
    return (
      <Screen icon="alert" title="No connection">
        The page continues when the connection is back.
      </Screen>
    );
  }
  if (state.kind === 'none') {
    // The embedding page has been asked for a token.
    if (isFramed) return <SkeletonRows rows={8} label="Waiting for access" />;
    return (
      <Screen icon="lock" title="This link is not complete">
        Open the documents again from where you found the link, or ask for a new one.
      </Screen>
    );
  }
  const next = isFramed ? 'Reload the page to continue.' : 'Ask for a new link to continue.';
  if (state.reason === 'expired') {
    return (
      <Screen icon="clock" title="Your access has expired">
        {next}
      </Screen>
    );
  }
  return (
    <Screen icon="lock" title="You no longer have access">
      It has expired or was withdrawn. {next}
    </Screen>
  );
}

function Screen(props: NoticeProps) {
  return (
    <div class="screen" role="alert">
      <Notice isPage {...props} />
    </div>
  );
}
