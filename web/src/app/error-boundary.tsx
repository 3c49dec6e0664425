import { Component, type ErrorInfo } from 'react';
import { ErrorScreen } from './error-screen.js';

interface Props {
  readonly children: React.ReactNode;
  /** A change of it (the path) gives the page another chance. */
  readonly resetKey?: string;
}

/** Shows {@link ErrorScreen} in the place of what broke below it. */
export class ErrorBoundary extends Component<Props, { error: unknown; resetKey: string | undefined }> {
  override state = { error: undefined as unknown, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  static getDerivedStateFromProps(
    props: Props,
    state: { resetKey: string | undefined },
  ): { error: unknown; resetKey: string | undefined } | null {
    return props.resetKey === state.resetKey ? null : { error: undefined, resetKey: props.resetKey };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error('This page broke', error, info.componentStack);
  }

  override render(): React.ReactNode {
    return this.state.error === undefined ? this.props.children : <ErrorScreen error={this.state.error} />;
  }
}
