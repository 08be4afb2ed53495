/** Where a plan is too large to be drawn: the rest of the screen is of use without it. */
import { Component, type ReactNode } from 'react';

interface UndrawableProps {
  readonly children: ReactNode;
}

export class Undrawable extends Component<UndrawableProps, { readonly why: string | null }> {
  override readonly state: { readonly why: string | null } = { why: null };

  static getDerivedStateFromError(thrown: unknown): { readonly why: string } {
    return { why: thrown instanceof Error ? thrown.message : String(thrown) };
  }

  override render(): ReactNode {
    const { why } = this.state;
    if (why === null) return this.props.children;
    return (
      <div className="empty" role="note">
        <p className="empty-title">This graph is not drawn.</p>
        <p>{why}</p>
      </div>
    );
  }
}
