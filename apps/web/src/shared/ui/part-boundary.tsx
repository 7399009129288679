import { Component, Suspense, type ReactNode } from 'react';
import { ErrorNote } from './empty-state';

export interface PartBoundaryProps {
  /** A placeholder in the shape of the part. */
  skeleton: ReactNode;
  /** The sentence to show if the part fails to load. */
  failure: string;
  children: ReactNode;
}

/** Wraps a part of a page that is loaded separately: if it fails, the rest of the page stays. */
export class PartBoundary extends Component<PartBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { skeleton, failure, children } = this.props;
    // A part that failed keeps failing until the page is loaded again.
    if (this.state.hasFailed) return <ErrorNote onRetry={() => window.location.reload()}>{failure}</ErrorNote>;
    return <Suspense fallback={skeleton}>{children}</Suspense>;
  }
}
