// Shows a fault of the console itself in place of a blank page.
import { Component, type ReactNode } from 'react';
import { Failed } from './view-states.js';

export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <main>
        <Failed error={this.state.error} onRetry={() => location.reload()} />
      </main>
    );
  }
}
