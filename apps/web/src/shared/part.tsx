import { type ComponentType, createElement, lazy, useState } from 'react';

const loads = new WeakMap<object, () => Promise<unknown>>();

/**
 * A component in a file of its own, which is loaded when the component is first shown, or by `loadPart`. React's `lazy`
 * alone shows a fallback even for what is there, and then waits before it replaces it.
 */
export function part<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  const loadOnce = async () => (loaded ??= await load());
  const Late = lazy(async () => ({ default: await loadOnce() }));
  function Part(props: P) {
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Late);
    return createElement(Shown, props);
  }
  loads.set(Part, loadOnce);
  return Part;
}

/** Loads a component made by `part`; any other is there already. */
export const loadPart = async (component: unknown): Promise<unknown> =>
  typeof component === 'function' ? loads.get(component)?.() : undefined;
