import { Component, Suspense, type ReactNode } from 'react';
import { ErrorNote } from './empty-state';

export interface PartBoundaryProps {
  /** In the shape of what will come. */
  skeleton: ReactNode;
  /** A sentence, for a part that does not come. */
  failure: string;
  children: ReactNode;
}

/** Around a part of a page that is loaded apart: where it does not come, what is around it stands. */
export class PartBoundary extends Component<PartBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { skeleton, failure, children } = this.props;
    // A part that failed stays so for as long as the page is loaded.
    if (this.state.hasFailed) return <ErrorNote onRetry={() => window.location.reload()}>{failure}</ErrorNote>;
    return <Suspense fallback={skeleton}>{children}</Suspense>;
  }
}
