import { Component } from 'react';
import { ErrorScreen } from './error-screen.js';

interface PageBoundaryProps {
  /** Address of the page; a navigation ends the error. */
  readonly at: string;
  readonly children: React.ReactNode;
}

interface PageBoundaryState {
  readonly at: string;
  readonly error?: unknown;
  readonly failed: boolean;
}

/** Shows an error in place of a page that could not be rendered, for pages outside of the route table. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { at: this.props.at, failed: false };

  static getDerivedStateFromError(error: unknown): Partial<PageBoundaryState> {
    return { error, failed: true };
  }

  static getDerivedStateFromProps({ at }: PageBoundaryProps, state: PageBoundaryState): PageBoundaryState | null {
    return at === state.at ? null : { at, failed: false };
  }

  override render(): React.ReactNode {
    return this.state.failed ? <ErrorScreen error={this.state.error} /> : this.props.children;
  }
}
